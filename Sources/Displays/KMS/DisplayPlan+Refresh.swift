import PlaybackCore

// Modes of one size that differ by their rate, for `mode = "match"`.

extension DisplayPlan {
  /// Makes the rate follow the films.
  ///
  /// - Parameter millihertz: the initial rate, if the screen offers it.
  mutating func followFilms(from millihertz: Int?) {
    preferredRefresh = mode.refreshMillihertz
    if let millihertz, let mode = mode(refreshMillihertz: millihertz) { self.mode = mode }
  }

  /// The rates to choose from; nil if the rate doesn't follow the films.
  var refresh: ScreenRefresh? {
    preferredRefresh.map { preferred in
      ScreenRefresh(
        rates: Set(modesOfSize.map(\.refreshMillihertz)).sorted(), preferred: preferred,
        current: mode.refreshMillihertz)
    }
  }

  func mode(refreshMillihertz: Int) -> ModeSnapshot? {
    modesOfSize.first { $0.refreshMillihertz == refreshMillihertz }
  }

  /// The change of mode between two items. The planes keep their content.
  ///
  /// - Parameter modeBlob: the blob with the new mode, which has the same size as the old.
  func refreshChange(on card: CardSnapshot, modeBlob: UInt32) -> AtomicChange {
    var change = AtomicChange()
    if let crtc = card.crtc(crtcID) { change.set("MODE_ID", of: crtc.properties, to: UInt64(modeBlob)) }
    return change
  }

  /// Without interlaced modes: they show half of the lines at a time, which suits no film.
  private var modesOfSize: [ModeSnapshot] {
    connector.modes.filter { $0.size == mode.size && !$0.isInterlaced }
  }
}

extension ScreenRefresh {
  /// Common frame rates of films.
  static let usualFilms = [24_000.0 / 1001, 24, 25, 30_000.0 / 1001, 30, 50, 60_000.0 / 1001, 60]

  /// The rate that a film alone would get, and how well it fits.
  func choice(framesPerSecond: Double) -> (millihertz: Int, fit: RefreshChoice.Fit) {
    let film = RefreshItem(wish: .frames(perSecond: framesPerSecond))
    let chosen =
      RefreshChoice.choose(for: [film], repeats: true, on: self, hold: .zero, isFree: true) ?? current
    return (chosen, RefreshChoice.fit(chosen, framesPerSecond: framesPerSecond))
  }

  /// `23.98 fps at 23.98 Hz, 25.00 at 60.00 (judders)`
  var explanation: String {
    Self.usualFilms.enumerated().map { index, film in
      let (millihertz, fit) = choice(framesPerSecond: film)
      let rate = DisplayMode.hertz(Int((film * 1000).rounded()))
      let note =
        switch fit {
        case .exact: ""
        case .near: " (nearly)"
        case .none: " (judders)"
        }
      return "\(rate)\(index == 0 ? " fps" : "") at \(DisplayMode.hertz(millihertz))\(index == 0 ? " Hz" : "")\(note)"
    }.joined(separator: ", ")
  }
}
