/// What ffmpeg has to be told so that a board plays a film.
public struct Conversion: Hashable, Sendable {
  public var format: VideoCodec
  /// What stands between the input and the output.
  public var arguments: [String]

  /// Encoders of ours, the most compatible first: what every ffmpeg of Debian has.
  static let formats: [VideoCodec] = [.h264, .h265]
  /// Constant quality that nobody tells from the original on a screen in a shop; x265's scale is finer by some steps.
  private static let quality: [VideoCodec: String] = [.h264: "19", .h265: "21"]
  /// Sound that every phone plays, in a rate that leaves nothing to be heard.
  private static let soundRate = "192k"
  /// Where nothing is known: what every decoder in hardware of the last ten years takes.
  private static let usual = BoardDecoding.Limit(size: PixelSize(width: 1920, height: 1080), framesPerSecond: 30)
  /// A film is not made smaller than this to keep its rate.
  private static let slowest = 20.0

  /// - Returns: nil where no codec that can be made plays on the board.
  init?(of facts: MediaFacts, _ video: StreamFacts, for board: PlayabilityAdvice.Board) {
    guard let format = Self.format(for: video, on: board), let limit = board.best(format) else { return nil }
    self.init(format, limit, board.decoding[format], facts, video)
  }

  /// For a medium that can't be opened, so that nothing is known of it but its name.
  public init(unknownOn board: PlayabilityAdvice.Board) {
    let format = Self.formats.first { board.best($0) != nil } ?? .h264
    let limit = board.best(format) ?? Self.usual
    let video = StreamFacts(kind: .video, codec: "")
    self.init(format, limit, board.decoding[format], MediaFacts(), video)
    // Only smaller: it may be smaller already.
    let (width, height) = (limit.size.width, limit.size.height)
    let filter = "scale=w='min(iw,\(width))':h='min(ih,\(height))':\(Self.keepsShape)"
    arguments.insert(contentsOf: ["-vf", filter], at: arguments.firstIndex(of: "-c:v") ?? 0)
  }

  /// The command to be typed into a shell.
  ///
  /// - Parameters:
  ///   - input: a path or address.
  ///   - output: a path.
  public func command(from input: String, to output: String) -> String {
    (["ffmpeg", "-i", input] + arguments + [output]).map(Self.quoted).joined(separator: " ")
  }

  /// Where the converted film belongs: beside the one that it is made of.
  public func output(for input: String) -> String {
    let slash = input.lastIndex(of: "/").map { input.index(after: $0) } ?? input.startIndex
    let name = input[slash...]
    let stem = name.lastIndex(of: ".").map { $0 == name.startIndex ? name : name[..<$0] } ?? name
    return "\(input[..<slash])\(stem)-\(format.rawValue).mp4"
  }

  /// The codec that plays the film as large as it is; else the one that plays the largest.
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
    // GStreamer's stateless decoder crashed on rows that are coded side by side, which is what x265 makes (1.22.0).
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
    // ffmpeg turns films upright before its filters.
    if video.isTurnedSideways { shown = PixelSize(width: shown.height, height: shown.width) }
    let isUpright = shown.height > shown.width
    let box = isUpright ? PixelSize(width: limit.size.height, height: limit.size.width) : limit.size
    if shown.width > box.width || shown.height > box.height {
      filters.append(fit(limit.size, isUpright: isUpright))
      shown = shown.fitted(into: box)
    } else if size.width % 2 + size.height % 2 > 0 {
      // Encoders take even sizes only where each four pixels share their colour.
      filters.append("crop=trunc(iw/2)*2:trunc(ih/2)*2")
    }
    if let rate = slower(video, shown, limit) { filters.append("fps=\(rate)") }
    return filters
  }

  /// As large as fits, and even: encoders take nothing else where each four pixels share their colour.
  private static let keepsShape = "force_original_aspect_ratio=decrease:force_divisible_by=2"

  private static func fit(_ size: PixelSize, isUpright: Bool) -> String {
    let (width, height) = isUpright ? (size.height, size.width) : (size.width, size.height)
    return "scale=w=\(width):h=\(height):\(keepsShape)"
  }

  /// Every second frame, or every fourth, where the limit asks for that; so each is shown for as long as the others.
  private static func slower(_ video: StreamFacts, _ size: PixelSize, _ limit: BoardDecoding.Limit) -> String? {
    guard let rate = video.rate, let frames = video.framesPerSecond else { return nil }
    let most =
      Double(limit.size.width * limit.size.height * limit.framesPerSecond) / Double(max(1, size.width * size.height))
    var divisor = 1
    while frames / Double(divisor) > most * 1.01, frames / Double(divisor * 2) >= slowest { divisor *= 2 }
    return divisor == 1
      ? nil : "\(rate.numerator)/\(rate.denominator.multipliedReportingOverflow(by: divisor).partialValue)"
  }

  /// `29.97`, `30`.
  public static func number(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    let (whole, part) = (hundredths / 100, hundredths % 100)
    return part == 0 ? "\(whole)" : "\(whole).\(part < 10 ? "0" : "")\(part)"
  }

  /// For a POSIX shell.
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
  /// The largest of the same shape within `box`, in even numbers.
  fileprivate func fitted(into box: PixelSize) -> PixelSize {
    guard width > 0, height > 0 else { return self }
    let scale = min(Double(box.width) / Double(width), Double(box.height) / Double(height), 1)
    return PixelSize(width: Int(Double(width) * scale) / 2 * 2, height: Int(Double(height) * scale) / 2 * 2)
  }
}
