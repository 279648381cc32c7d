public import PlaybackCore

/// All that a visitor has chosen for the visit.
public struct VisitorChoices: Hashable, Sendable {
  public var tracks = TrackWish()
  public var captions = CaptionLook()

  public init() {}

  /// Carries out what a cell of the panel stands for.
  ///
  /// - Parameter tracks: those of the item that is shown.
  public mutating func choose(_ cell: ChoiceCell, of tracks: [MediaTrack]) {
    switch cell.choice {
    case .close: break
    case .language(let tag): _ = self.tracks.changeLanguage(.language(tag), of: tracks)
    case .description: _ = self.tracks.changeDescription(!cell.isOn, of: tracks)
    case .signed: _ = self.tracks.changeSigned(!cell.isOn, of: tracks)
    case .captions(let request): _ = self.tracks.changeCaptions(request, of: tracks)
    case .size(let size): captions.size = size
    case .ground(let ground): captions.ground = ground
    case .highContrast: captions.hasHighContrast = !cell.isOn
    }
  }
}

/// One thing that can be chosen on the panel.
public enum Choice: Hashable, Sendable {
  case language(LanguageTag)
  /// Sound that describes the picture, on or off.
  case description
  /// The version in sign language, on or off.
  case signed
  case captions(TrackRequest)
  case size(CaptionLook.Size)
  case ground(CaptionLook.Ground)
  case highContrast
  case close
}

/// A part of the panel's line that can be touched.
public struct ChoiceCell: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// Excludes the other options of its section: one of them is on.
    case option
    /// On or off by itself.
    case toggle
    case close
  }

  public var choice: Choice
  /// Nil for a sign alone.
  public var label: VisitorText?
  public var isOn: Bool
  public var kind: Kind

  public init(_ choice: Choice, _ label: VisitorText?, isOn: Bool = false, kind: Kind = .option) {
    self.choice = choice
    self.label = label
    self.isOn = isOn
    self.kind = kind
  }
}
