/// How a visitor wants captions to look, over the exhibitor's look.
public struct CaptionLook: Hashable, Sendable {
  public enum Size: String, Hashable, Sendable, CaseIterable {
    /// As designed: 5 % of the screen's short side, as in broadcasts.
    case normal
    case large
    case larger

    /// Twice the size is what WCAG 2.2 asks of texts (1.4.4); a step between is for those who want to see more of the
    /// picture.
    public var factor: Double {
      switch self {
      case .normal: 1
      case .large: 1.5
      case .larger: 2
      }
    }
  }

  public enum Ground: String, Hashable, Sendable, CaseIterable {
    /// A dark edge around each letter, which covers least of the film.
    case outline
    /// A dark box behind the text, which calms the picture there.
    case box
  }

  public var size = Size.normal
  public var ground = Ground.outline
  /// Bold letters, on solid black or with a thick solid edge; nil is as configured.
  public var hasHighContrast: Bool?

  public init() {}
}
