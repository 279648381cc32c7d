public import PlaybackCore

/// The choices in an item, line by line.
public struct ChoiceList: Hashable, Sendable {
  public struct Line: Hashable, Sendable {
    /// The name of the section that begins here; nil for a line of cells alone.
    public var heading: VisitorSentence?
    /// Side by side. Beside a heading there is at most the sign that closes the panel.
    public var cells: [ChoiceCell]

    public init(heading: VisitorSentence? = nil, _ cells: [ChoiceCell] = []) {
      self.heading = heading
      self.cells = cells
    }
  }

  /// The place of a cell.
  public struct Place: Hashable, Sendable {
    public var line: Int
    public var cell: Int

    public init(line: Int, cell: Int) {
      self.line = line
      self.cell = cell
    }
  }

  public private(set) var lines: [Line] = []
  /// All cells, in the order in which keys go along them.
  public private(set) var places: [Place] = []

  public init() {}

  /// - Parameters:
  ///   - tracks: those of the item that is shown.
  ///   - hasSound: whether the player's sound is on.
  ///   - hasHighContrast: whether captions have it without a visitor's choice.
  public init(_ tracks: [MediaTrack], _ choices: VisitorChoices, hasSound: Bool, hasHighContrast: Bool) {
    let wish = choices.tracks
    if hasSound {
      let sounds = TrackWish.languages(of: tracks)
      let heard = wish.heard(of: tracks)
      var lines = (sounds.count > 1 ? sounds : []).compactMap { track in
        track.tag.map { Line([ChoiceCell(.language($0), .name(track.shownName), isOn: $0 == heard)]) }
      }
      if TrackWish.hasDescription(tracks) {
        let isHeard = tracks.contains { $0.isDescription && $0.isEnabled }
        lines.append(Line([ChoiceCell(.description, VisitorText(.description), isOn: isHeard, kind: .toggle)]))
      }
      add(.sound, lines)
    }
    if let version = tracks.first(where: \.isSigned) {
      let isShown = choices.tracks.isSigned && version.isEnabled
      add(.picture, [Line([ChoiceCell(.signed, VisitorText(.signLanguage), isOn: isShown, kind: .toggle)])])
    }
    let texts = TrackWish.captions(of: tracks)
    if !texts.isEmpty {
      let shown = wish.shown(of: tracks)
      var lines = [Line([ChoiceCell(.captions(.off), VisitorText(.off), isOn: shown == nil)])]
      lines += texts.map { track in
        Line([
          ChoiceCell(
            .captions(track.tag.map { .language($0) } ?? .on), .name(track.shownName),
            isOn: shown.map { $0.tag == track.tag } ?? false)
        ])
      }
      add(.captions, lines)
      add(.captionLook, Self.looks(choices.captions, hasHighContrast))
    }
    if !lines.isEmpty { lines[0].cells = [ChoiceCell(.close, nil, kind: .close)] }
    places = lines.enumerated().flatMap { line, content in
      content.cells.indices.map { Place(line: line, cell: $0) }
    }
  }

  private mutating func add(_ heading: VisitorSentence, _ lines: [Line]) {
    guard !lines.isEmpty else { return }
    self.lines.append(Line(heading: heading))
    self.lines += lines
  }

  private static func looks(_ look: CaptionLook, _ hasHighContrast: Bool) -> [Line] {
    let sizes = CaptionLook.Size.allCases.map { size in
      let name: VisitorSentence =
        switch size {
        case .normal: .sizeNormal
        case .large: .sizeLarge
        case .larger: .sizeLarger
        }
      return ChoiceCell(.size(size), VisitorText(name), isOn: look.size == size)
    }
    let grounds = CaptionLook.Ground.allCases.map { ground in
      ChoiceCell(
        .ground(ground), VisitorText(ground == .outline ? .outline : .box), isOn: look.ground == ground)
    }
    let isHigh = look.hasHighContrast ?? hasHighContrast
    return [
      Line(sizes), Line(grounds),
      Line([ChoiceCell(.highContrast, VisitorText(.highContrast), isOn: isHigh, kind: .toggle)]),
    ]
  }

  public var isEmpty: Bool { lines.isEmpty }

  public subscript(place: Place) -> ChoiceCell { lines[place.line].cells[place.cell] }

  /// The place of a choice; nil where it isn't there.
  public func place(of choice: Choice) -> Place? { places.first { self[$0].choice == choice } }

  /// The cell one step away on the screen, whose nearest cell counts where lines have different numbers of them; nil at
  /// the edge.
  public func neighbour(of place: Place, _ way: TileStep, isRightToLeft: Bool) -> Place? {
    switch isRightToLeft ? way.mirrored : way {
    case .left: return place.cell > 0 ? Place(line: place.line, cell: place.cell - 1) : nil
    case .right:
      let isLast = place.cell + 1 >= lines[place.line].cells.count
      return isLast ? nil : Place(line: place.line, cell: place.cell + 1)
    case .up: return nearest(to: place, lines[..<place.line].lastIndex { !$0.cells.isEmpty })
    case .down: return nearest(to: place, lines[(place.line + 1)...].firstIndex { !$0.cells.isEmpty })
    }
  }

  private func nearest(to place: Place, _ line: Int?) -> Place? {
    guard let line else { return nil }
    // By the middle of the cells, in shares of the line.
    let share = (Double(place.cell) + 0.5) / Double(lines[place.line].cells.count)
    let count = lines[line].cells.count
    return Place(line: line, cell: min(count - 1, Int(share * Double(count))))
  }
}
