import PlaybackCore

/// Which of a connector's modes serves a request.
struct ModeChoice: Hashable, Sendable {
  var mode: ModeSnapshot
  /// Whether this is what was asked for, not the nearest to it.
  var isExact: Bool

  /// - Returns: nil when there is no mode at all.
  static func choose(from modes: [ModeSnapshot], for request: DisplayMode) -> ModeChoice? {
    switch request {
    case .auto, .match(nil):
      // The kernel sorts the best first for screens that prefer none.
      return (modes.first { $0.isPreferred } ?? modes.first).map { ModeChoice(mode: $0, isExact: true) }
    case .match(let size?): return choose(from: modes, for: .size(size, refreshMillihertz: nil))
    case .size(let size, let rate):
      let best = modes.min { cost($0, size, rate) < cost($1, size, rate) }
      return best.map { ModeChoice(mode: $0, isExact: $0.size == size && serves($0, rate)) }
    }
  }

  /// Why this mode, for people.
  func reason(for request: DisplayMode) -> String {
    switch request {
    case .auto, .match(nil): mode.isPreferred ? "what the screen prefers" : "the screen prefers none; its first"
    case .size, .match: isExact ? "as asked" : "the nearest to \(request), which the screen doesn't have"
    }
  }

  /// Smaller is nearer: size first, then whole frames before interlaced ones, then the refresh rate. Without a rate in
  /// the request that is the preferred mode's, else the nearest to 60 Hz, which every kind of video survives best.
  private static func cost(_ mode: ModeSnapshot, _ size: PixelSize, _ rate: Int?) -> (Int, Int, Int) {
    let distance = abs(mode.size.width - size.width) + abs(mode.size.height - size.height)
    let off = rate == nil && mode.isPreferred ? 0 : abs(mode.refreshMillihertz - (rate ?? 60_000)) + 1
    return (distance, mode.isInterlaced ? 1 : 0, off)
  }

  /// 60 is served by 59.94 too: people write the whole number for both.
  private static func serves(_ mode: ModeSnapshot, _ rate: Int?) -> Bool {
    guard let rate else { return true }
    if abs(mode.refreshMillihertz - rate) <= 10 { return true }
    return rate % 1000 == 0 && (mode.refreshMillihertz + 500) / 1000 == rate / 1000
  }
}
