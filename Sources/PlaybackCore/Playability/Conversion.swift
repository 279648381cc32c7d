/// The ffmpeg options that convert a film for a board.
public struct Conversion: Hashable, Sendable {
  public var format: VideoCodec
  /// The arguments between input and output.
  public var arguments: [String]

  /// Codecs to convert to, the most compatible first. Every ffmpeg of Debian has encoders for them.
  static let formats: [VideoCodec] = [.h264, .h265]
  /// Constant quality (CRF) that viewers can't tell from the original on a screen in a shop; x265's scale is finer by
  /// some steps.
  private static let quality: [VideoCodec: String] = [.h264: "19", .h265: "21"]
  /// Bit rate of AAC, which every phone plays, without audible loss.
  private static let soundRate = "192k"
  /// Assumed where the board's limits are unknown: every hardware decoder of the last ten years takes it.
  private static let usual = BoardDecoding.Limit(size: PixelSize(width: 1920, height: 1080), framesPerSecond: 30)
  /// Frames a second: a film's rate isn't halved below this.
  private static let slowest = 20.0

  /// - Returns: nil where the board plays none of the codecs that can be made.
  init?(of facts: MediaFacts, _ video: StreamFacts, for board: PlayabilityAdvice.Board) {
    guard let format = Self.format(for: video, on: board), let limit = board.best(format) else { return nil }
    self.init(format, limit, board.decoding[format], facts, video)
  }

  /// For a medium that can't be opened: only its name is known.
  public init(unknownOn board: PlayabilityAdvice.Board) {
    let format = Self.formats.first { board.best($0) != nil } ?? .h264
    let limit = board.best(format) ?? Self.usual
    let video = StreamFacts(kind: .video, codec: "")
    self.init(format, limit, board.decoding[format], MediaFacts(), video)
    // It may be smaller already: the filter only makes it smaller.
    let (width, height) = (limit.size.width, limit.size.height)
    let filter = "scale=w='min(iw,\(width))':h='min(ih,\(height))':\(Self.keepsShape)"
    arguments.insert(contentsOf: ["-vf", filter], at: arguments.firstIndex(of: "-c:v") ?? 0)
  }

  /// The command for a shell.
  ///
  /// - Parameters:
  ///   - input: a path or address.
  ///   - output: a path.
  public func command(from input: String, to output: String) -> String {
    (["ffmpeg", "-i", input] + arguments + [output]).map(Self.quoted).joined(separator: " ")
  }

  /// Path of the converted film: beside the original.
  public func output(for input: String) -> String {
    let slash = input.lastIndex(of: "/").map { input.index(after: $0) } ?? input.startIndex
    let name = input[slash...]
    let stem = name.lastIndex(of: ".").map { $0 == name.startIndex ? name : name[..<$0] } ?? name
    return "\(input[..<slash])\(stem)-\(format.rawValue).mp4"
  }

  /// The first codec that plays the film at its full size; else the one that plays the largest.
  private static func format(for video: StreamFacts, on board: PlayabilityAdvice.Board) -> VideoCodec? {
    let known = formats.filter { board.best($0) != nil }
    if let size = video.size, let whole = known.first(where: { board.decodes($0, size, nil) }) { return whole }
    return known.max { area(board.best($0)) < area(board.best($1)) }
  }

  private static func area(_ limit: BoardDecoding.Limit?) -> Int { limit.map { $0.size.width * $0.size.height } ?? 0 }

  private init(
    _ format: VideoCodec, _ limit: BoardDecoding.Limit, _ codec: BoardDecoding.Codec, _ facts: MediaFacts,
    _ video: StreamFacts
  ) {
    self.format = format
    arguments = ["-map", "0:v:0", "-map", "0:a?"]
    let filters = Self.filters(video, limit)
    if !filters.isEmpty { arguments += ["-vf", filters.joined(separator: ",")] }
    switch format {
    // GStreamer 1.22 only: the stateless decoder crashes on rows that are coded side by side, which is what x265 makes.
    case .h265: arguments += ["-c:v", "libx265", "-x265-params", "wpp=0", "-tag:v", "hvc1"]
    default:
      arguments += ["-c:v", "libx264", "-profile:v", "high"]
      if let level = codec.level { arguments += ["-level", "\(level)"] }
    }
    arguments += ["-preset", "slow", "-crf", Self.quality[format] ?? "20", "-pix_fmt", "yuv420p"]
    arguments += ["-c:a", "aac", "-b:a", Self.soundRate, "-movflags", "+faststart"]
  }

  private static func filters(_ video: StreamFacts, _ limit: BoardDecoding.Limit) -> [String] {
    var filters: [String] = []
    if video.isInterlaced { filters.append("bwdif=mode=send_frame") }
    if video.transfer != .sdr {
      filters.append(
        "zscale=transfer=linear:npl=100,format=gbrpf32le,zscale=primaries=bt709,tonemap=hable:desat=0,"
          + "zscale=transfer=bt709:matrix=bt709:range=tv")
    }
    guard let size = video.size else { return filters }
    var shown = size
    if video.pixelAspect != .one, video.pixelAspect.denominator > 0 {
      filters.append("scale=w=iw*sar:h=ih,setsar=1")
      shown.width = size.width * video.pixelAspect.numerator / video.pixelAspect.denominator
    }
    // ffmpeg turns films upright before its filters run.
    if video.isTurnedSideways { shown = PixelSize(width: shown.height, height: shown.width) }
    let isUpright = shown.height > shown.width
    let box = isUpright ? PixelSize(width: limit.size.height, height: limit.size.width) : limit.size
    if shown.width > box.width || shown.height > box.height {
      filters.append(fit(limit.size, isUpright: isUpright))
      shown = shown.fitted(into: box)
    } else if size.width % 2 + size.height % 2 > 0 {
      // Encoders take only even sizes where four pixels share their colour.
      filters.append("crop=trunc(iw/2)*2:trunc(ih/2)*2")
    }
    if let rate = slower(video, shown, limit) { filters.append("fps=\(rate)") }
    return filters
  }

  /// Fits the box in even numbers: encoders take nothing else where four pixels share their colour.
  private static let keepsShape = "force_original_aspect_ratio=decrease:force_divisible_by=2"

  private static func fit(_ size: PixelSize, isUpright: Bool) -> String {
    let (width, height) = isUpright ? (size.height, size.width) : (size.width, size.height)
    return "scale=w=\(width):h=\(height):\(keepsShape)"
  }

  /// The rate with every second frame, or every fourth, where the limit demands it; so each frame is shown equally
  /// long.
  private static func slower(_ video: StreamFacts, _ size: PixelSize, _ limit: BoardDecoding.Limit) -> String? {
    guard let rate = video.rate, let frames = video.framesPerSecond else { return nil }
    let most =
      Double(limit.size.width * limit.size.height * limit.framesPerSecond) / Double(max(1, size.width * size.height))
    var divisor = 1
    while frames / Double(divisor) > most * 1.01, frames / Double(divisor * 2) >= slowest { divisor *= 2 }
    return divisor == 1
      ? nil : "\(rate.numerator)/\(rate.denominator.multipliedReportingOverflow(by: divisor).partialValue)"
  }

  /// A number with at most two decimals: `29.97`, `30`.
  public static func number(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    let (whole, part) = (hundredths / 100, hundredths % 100)
    return part == 0 ? "\(whole)" : "\(whole).\(part < 10 ? "0" : "")\(part)"
  }

  /// A word quoted for a POSIX shell.
  static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || "-_./:=,+@%".utf8.contains(byte)
    }
    return isPlain && !word.isEmpty
      ? word : "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}

extension PixelSize {
  /// The largest size of the same shape within `box`, with even sides.
  fileprivate func fitted(into box: PixelSize) -> PixelSize {
    guard width > 0, height > 0 else { return self }
    let scale = min(Double(box.width) / Double(width), Double(box.height) / Double(height), 1)
    return PixelSize(width: Int(Double(width) * scale) / 2 * 2, height: Int(Double(height) * scale) / 2 * 2)
  }
}
