/// The verdict whether a board plays a medium in time, with its reasons and a conversion for a medium that is too much.
///
/// A value made from the medium's properties and the board's profile; docs/decisions/0077-playability.md has the rules.
public struct PlayabilityAdvice: Hashable, Sendable {
  public enum Verdict: String, Hashable, Sendable {
    /// The board plays the medium in time, as far as is known.
    case plays
    /// The board, or this codec on it, isn't described by a profile.
    case unknown
    /// The medium is more than the board decodes in time.
    case tooMuch = "too_much"
  }

  public var verdict: Verdict
  /// Short sentences for people.
  public var reasons: [String] = []
  /// A conversion to a medium that plays; nil where none is needed or none would help.
  public var conversion: Conversion?

  /// The board that the verdict is for.
  public struct Board: Hashable, Sendable {
    /// Names of the profiles that match the board; empty without one.
    public var name: String
    public var decoding: BoardDecoding
    /// Whether it is this machine: then its decoders are those that were found.
    public var isHere: Bool

    /// A board without a profile.
    public static let unknown = Board(name: "", decoding: BoardDecoding(), isHere: true)

    public init(name: String, decoding: BoardDecoding, isHere: Bool) {
      self.name = name
      self.decoding = decoding
      self.isHere = isHere
    }
  }

  public init(for facts: MediaFacts, on board: Board) {
    guard let video = facts.streams.first(where: { $0.kind == .video }) else {
      // Pictures are decoded once, and sound is little work: once opened, they play.
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
  /// Tolerance for rates as they are written: a limit of 59.94 allows 60.
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
    // The processor decodes the streams that the hardware doesn't take.
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

  /// The size or rate that exceeds the limit, in words; nil where both fit. Unknown values fit.
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

  /// Codecs work in blocks of 16 lines: 1080 lines are 1088 to a decoder.
  private static func blocks(_ pixels: Int) -> Int { pixels + pixels / 100 }

  /// Whether the board decodes a film of this size and rate in time, by its hardware, or by the processor where the
  /// hardware doesn't take the codec.
  func decodes(_ format: VideoCodec, _ size: PixelSize, _ rate: Double?) -> Bool {
    guard let limit = best(format) else { return false }
    var film = StreamFacts(kind: .video, codec: format.name)
    film.size = size
    film.rate = rate.map { Ratio(numerator: Int(($0 * 1000).rounded()), denominator: 1000) }
    return Self.exceeds(film, limit) == nil
  }

  /// The limit of the hardware, which leaves the processor for other work; else that of the processor.
  func best(_ format: VideoCodec) -> BoardDecoding.Limit? { decoding[format].hardware ?? decoding[format].software }
}

extension BoardDecoding.Limit {
  var words: String { "\(size.width)x\(size.height) at \(framesPerSecond)" }
}
