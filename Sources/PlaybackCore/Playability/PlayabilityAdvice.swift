/// Whether a board plays a medium in time, why, and what to convert it to if not.
///
/// A value made from what the medium is and what the board's profile says; docs/decisions/0077-playability.md has the rules.
public struct PlayabilityAdvice: Hashable, Sendable {
  public enum Verdict: String, Hashable, Sendable {
    /// It plays in time, as far as is known.
    case plays
    /// Nothing is known of this board, or of this codec on it.
    case unknown
    /// More than the board decodes in time.
    case tooMuch = "too_much"
  }

  public var verdict: Verdict
  /// For people, a short sentence each.
  public var reasons: [String] = []
  /// What plays instead; nil where nothing has to be converted.
  public var conversion: Conversion?

  /// The board that is asked about.
  public struct Board: Hashable, Sendable {
    /// Names of the profiles that it is known by; empty where there is none.
    public var name: String
    public var decoding: BoardDecoding
    /// Whether it is the one that looks: then its decoders are those that were found.
    public var isHere: Bool

    /// None that a profile is for.
    public static let unknown = Board(name: "", decoding: BoardDecoding(), isHere: true)

    public init(name: String, decoding: BoardDecoding, isHere: Bool) {
      self.name = name
      self.decoding = decoding
      self.isHere = isHere
    }
  }

  public init(for facts: MediaFacts, on board: Board) {
    guard let video = facts.streams.first(where: { $0.kind == .video }) else {
      // Pictures are decoded once, and sound is little work: what can be opened plays.
      verdict = .plays
      return
    }
    let judged = board.judge(video)
    verdict = judged.verdict
    reasons = judged.reasons
    if verdict == .tooMuch { conversion = Conversion(of: facts, video, for: board) }
    if video.isInterlaced { reasons.append("interlaced: the processor takes the fields apart, which is work too") }
  }

  private init(_ verdict: Verdict, _ reasons: [String]) {
    self.verdict = verdict
    self.reasons = reasons
  }

  static func judged(_ verdict: Verdict, _ reasons: [String]) -> Self { Self(verdict, reasons) }
}

extension PlayabilityAdvice.Board {
  /// Frame rates are as they are written: 59.94 counts as 60, and 60 as no more than 59.94.
  private static let rateSlack = 1.002

  fileprivate func judge(_ video: StreamFacts) -> PlayabilityAdvice {
    guard !name.isEmpty else {
      return .judged(.unknown, ["no profile tells what this board decodes in time (VITRINE_BOARD names one)"])
    }
    guard let format = video.format, !decoding[format].isEmpty else {
      return .judged(.unknown, ["the profile of \(name) says nothing of \(video.format?.name ?? video.codec)"])
    }
    let codec = decoding[format]
    var problems: [String] = []
    if let limit = codec.hardware {
      problems = hardwareProblems(video, codec, limit)
      if problems.isEmpty {
        let needs = isHere ? nil : codec.needs.map { "needs \($0)" }
        return .judged(.plays, ["decoded by hardware, up to \(limit.words)"] + [needs].compactMap(\.self))
      }
    }
    // What hardware doesn't take is left to the processor.
    guard let limit = codec.software else {
      return .judged(.tooMuch, problems.isEmpty ? ["\(name) doesn't decode \(format.name) in time"] : problems)
    }
    if let problem = Self.exceeds(video, limit) {
      return .judged(.tooMuch, problems + ["\(problem) is more than the processor decodes in time (\(limit.words))"])
    }
    return .judged(.plays, problems + ["decoded by the processor, up to \(limit.words)"])
  }

  private func hardwareProblems(
    _ video: StreamFacts, _ codec: BoardDecoding.Codec, _ limit: BoardDecoding.Limit
  ) -> [String] {
    if isHere, !video.isHardware {
      let needs = codec.needs.map { ", it needs \($0)" } ?? ""
      return ["the decoder in hardware isn't there\(needs)"]
    }
    var problems: [String] = []
    if let problem = Self.exceeds(video, limit) {
      problems.append("\(problem) is more than the decoder takes (\(limit.words))")
    }
    let bits = codec.bits ?? 8
    if let found = video.bits, found > bits { problems.append("the decoder takes \(bits) bits and not \(found)") }
    if let chroma = video.chroma, chroma != "4:2:0" { problems.append("the decoder takes 4:2:0 and not \(chroma)") }
    if let most = codec.level, let level = video.level, let number = Double(level), number > most {
      problems.append("level \(level) is above \(most), the decoder's highest")
    }
    return problems
  }

  /// What is too large or too fast, in words; nil where it fits. What isn't known fits.
  fileprivate static func exceeds(_ video: StreamFacts, _ limit: BoardDecoding.Limit) -> String? {
    guard let size = video.size else { return nil }
    let (pixels, most) = (size.width * size.height, limit.size.width * limit.size.height)
    let longest = max(limit.size.width, limit.size.height)
    guard pixels <= Self.blocks(most), max(size.width, size.height) <= longest else {
      return "\(size.width)x\(size.height)"
    }
    guard let rate = video.framesPerSecond else { return nil }
    guard Double(pixels) * rate <= Double(Self.blocks(most) * limit.framesPerSecond) * rateSlack else {
      return "\(size.width)x\(size.height) at \(Conversion.number(rate)) frames in a second"
    }
    return nil
  }

  /// Codecs work in blocks of 16 lines: 1080 is 1088 to a decoder.
  private static func blocks(_ pixels: Int) -> Int { pixels + pixels / 100 }

  /// Whether a film of this size and rate would be decoded by hardware, or by the processor where there is none.
  func decodes(_ format: VideoCodec, _ size: PixelSize, _ rate: Double?) -> Bool {
    guard let limit = best(format) else { return false }
    var film = StreamFacts(kind: .video, codec: format.name)
    film.size = size
    film.rate = rate.map { Ratio(numerator: Int(($0 * 1000).rounded()), denominator: 1000) }
    return Self.exceeds(film, limit) == nil
  }

  /// By hardware, which leaves the processor for the rest; else by the processor.
  func best(_ format: VideoCodec) -> BoardDecoding.Limit? { decoding[format].hardware ?? decoding[format].software }
}

extension BoardDecoding.Limit {
  var words: String { "\(size.width)x\(size.height) at \(framesPerSecond)" }
}
