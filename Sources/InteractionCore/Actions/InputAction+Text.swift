internal import PlaybackCore

extension InputAction: CustomStringConvertible {
  /// As it is written in files: `parse` takes it back.
  public var description: String {
    switch self {
    case .nothing: "none"
    case .playPause: "play-pause"
    case .play: "play"
    case .pause: "pause"
    case .seek(let target): "seek \(Self.number(target))"
    case .skip(let way): "skip \(way < .zero ? "" : "+")\(Self.number(way))"
    case .next: "next"
    case .previous: "previous"
    case .volume(let percent): "volume \(percent < 0 ? "" : "+")\(percent)"
    case .mute: "mute"
    case .select(let number): "select \(number)"
    case .playClip(let clip): "play \(clip)"
    case .statusCard: "status"
    case .lock: "lock"
    case .unlock: "unlock"
    case .showControls: "controls"
    case .scrub: "scrub"
    case .dragVolume: "volume"
    }
  }

  /// Seconds, without a fraction where there is none.
  private static func number(_ time: Duration) -> String {
    let seconds = time.inSeconds
    return seconds == seconds.rounded() ? "\(Int64(seconds))" : "\(seconds)"
  }
}
