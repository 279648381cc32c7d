import PlaybackCore

/// Which of a connector's modes serves a request.
struct ModeChoice: Hashable, Sendable {
  var mode: ModeSnapshot
  /// Whether the mode is the requested one, not the nearest to it.
  var isExact: Bool
  /// Whether the screen's preferred mode is more than the board can keep up.
  var isLimited = false

  /// - Returns: nil if the screen has no modes.
  /// - Parameter limit: the largest mode that the board can keep up; nil if unknown. It doesn't apply to a named size.
  static func choose(
    from modes: [ModeSnapshot], for request: DisplayMode, limit: BoardDecoding.Limit? = nil
  ) -> ModeChoice? {
    switch request {
    case .auto, .match(nil):
      let kept = modes.filter { mode in limit.map { mode.isWithin($0) } ?? true }
      let candidates = kept.isEmpty ? modes : kept
      if let preferred = candidates.first(where: \.isPreferred) { return ModeChoice(mode: preferred, isExact: true) }
      let best = candidates.enumerated().min { a, b in
        let (worthA, worthB) = (worth(a.element), worth(b.element))
        // Between equals the kernel's order.
        return worthA == worthB ? a.offset < b.offset : worthA > worthB
      }
      let isLimited = kept.count < modes.count && modes.contains(where: \.isPreferred)
      return best.map { ModeChoice(mode: $0.element, isExact: true, isLimited: isLimited) }
    case .match(let size?): return choose(from: modes, for: .size(size, refreshMillihertz: nil))
    case .size(let size, let rate):
      let best = modes.min { cost($0, size, rate) < cost($1, size, rate) }
      return best.map { ModeChoice(mode: $0, isExact: $0.size == size && serves($0, rate)) }
    }
  }

  /// Why this mode, for people.
  func reason(for request: DisplayMode) -> String {
    switch request {
    case .auto, .match(nil):
      isLimited
        ? "the screen prefers more than the board keeps up"
        : mode.isPreferred ? "what the screen prefers" : "the screen prefers none; its largest with 50 Hz or more"
    case .size, .match: isExact ? "as asked" : "the nearest to \(request), which the screen doesn't have"
    }
  }

  /// The worth of a mode, for a screen without a preferred one; larger is better. Progressive modes of 50 Hz and more
  /// come before many pixels: the largest mode of a screen behind a slow cable is 3840x2160 with 30 Hz, in which every
  /// film judders. Then size, then the rate nearest to 60 Hz.
  private static func worth(_ mode: ModeSnapshot) -> (Int, Int, Int) {
    let isSmooth = !mode.isInterlaced && mode.refreshMillihertz >= 49_900
    return (isSmooth ? 1 : 0, mode.size.width * mode.size.height, -abs(mode.refreshMillihertz - 60_000))
  }

  /// A mode's distance from the request: size first, then progressive modes before interlaced ones, then the refresh
  /// rate. Without a rate in the request, the preferred mode's is best, then the nearest to 60 Hz, which suits every
  /// kind of video.
  private static func cost(_ mode: ModeSnapshot, _ size: PixelSize, _ rate: Int?) -> (Int, Int, Int) {
    let distance = abs(mode.size.width - size.width) + abs(mode.size.height - size.height)
    let off = rate == nil && mode.isPreferred ? 0 : abs(mode.refreshMillihertz - (rate ?? 60_000)) + 1
    return (distance, mode.isInterlaced ? 1 : 0, off)
  }

  /// Whether a mode has the requested rate. A request for 60 also means 59.94: people write the whole number for both.
  private static func serves(_ mode: ModeSnapshot, _ rate: Int?) -> Bool {
    guard let rate else { return true }
    if abs(mode.refreshMillihertz - rate) <= 10 { return true }
    return rate % 1000 == 0 && (mode.refreshMillihertz + 500) / 1000 == rate / 1000
  }
}

extension ModeSnapshot {
  /// Whether the mode has no more pixels, in all and in a second, than the board can keep up.
  func isWithin(_ limit: BoardDecoding.Limit) -> Bool {
    let (pixels, most) = (size.width * size.height, limit.size.width * limit.size.height)
    // 59.94 and 60 Hz are the same to a board.
    return pixels <= most && pixels * refreshMillihertz <= most * (limit.framesPerSecond * 1000 + 100)
  }
}
