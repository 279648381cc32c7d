/// The end of the process that decoded a clip.
public enum ClipEnd: Hashable, Sendable {
  case done(DecodedClip)
  /// The process was ended by this signal.
  case crashed(Int32)
  /// The process exceeded its time and was killed.
  case hung
  /// The process ended without a readable result.
  case silent
}

/// Judges the results of each decoder in a board's self-test.
public enum SelfTest {
  public static let wrongPicture = 3032
  public static let tooFewPictures = 3033
  public static let decoderBroke = 3034
  public static let noClips = 3035
  public static let framesDropped = 5430
  public static let framesCopied = 5431
  public static let nothingPlayed = 5432

  /// The kernel's test drivers, which draw their own pictures: those can't be compared.
  static let drawingDrivers: Set<String> = ["visl"]
  /// Percentage of frames that may come too late: a board has other things to do while it is tested.
  public static let allowedDrops = 2.0

  public enum Verdict: String, Hashable, Sendable, Codable {
    case passed
    case failed
    /// All frames came, but their content couldn't be compared.
    case notCompared = "not_compared"
  }

  public struct Judgement: Hashable, Sendable {
    public var verdict: Verdict
    /// The result in words for people.
    public var text: String
    public var error: VitrineError?
  }

  /// - Parameters:
  ///   - expected: the checksum of each frame, in order.
  ///   - clip: the clip's name, for the error.
  public static func judge(_ end: ClipEnd, expected: [String], clip: String) -> Judgement {
    func failed(_ number: Int, _ message: String, _ remedy: String) -> Judgement {
      let error = VitrineError(number, subject: clip, message: message, remedy: remedy)
      return Judgement(verdict: .failed, text: message, error: error)
    }
    let elsewhere = "have the board's profile avoid it ([decoder] avoid), and tell its makers"
    switch end {
    case .crashed(let signal):
      return failed(decoderBroke, "the decoder ended its process (signal \(signal))", elsewhere)
    case .hung: return failed(decoderBroke, "the decoder gave nothing for too long, and didn't come down", elsewhere)
    case .silent: return failed(decoderBroke, "the test of the decoder said nothing", "report this as a bug")
    case .done(let decoded):
      let name = decoded.decoder.isEmpty ? "no decoder" : decoded.decoder
      let frames = decoded.checksums.count + decoded.unreadableFrames
      if let problem = decoded.problem { return failed(decoderBroke, "\(name) failed: \(problem)", elsewhere) }
      guard !decoded.hasTimedOut, frames == expected.count else {
        let late = decoded.hasTimedOut ? " within the time allowed" : ""
        return failed(tooFewPictures, "\(name) gave \(frames) of \(expected.count) pictures\(late)", elsewhere)
      }
      if drawingDrivers.contains(decoded.driver) {
        let drawn = Set(decoded.checksums).count
        return Judgement(
          verdict: .notCompared,
          text:
            "\(name) gave \(frames) pictures, \(drawn) of them different; its driver (\(decoded.driver)) is a test driver, which "
            + "draws pictures of its own and decodes nothing: they weren't compared")
      }
      guard decoded.unreadableFrames == 0 else {
        return Judgement(
          verdict: .notCompared,
          text:
            "\(name) gave \(frames) pictures in memory that the processor can't read (\(decoded.format)): not compared")
      }
      let wrong = zip(decoded.checksums, expected).filter { $0 != $1 }.count
      guard wrong == 0 else {
        return failed(wrongPicture, "\(name) gave \(wrong) of \(frames) pictures wrong", elsewhere)
      }
      return Judgement(verdict: .passed, text: "\(name) gave all \(frames) pictures right")
    }
  }

  /// The problems of the clips on the screen; empty for none.
  ///
  /// - Parameter clips: the names of the films, which are the first items.
  public static func problems(of report: PlaybackReport, clips: [String]) -> [VitrineError] {
    var problems: [VitrineError] = []
    let screen = report.screen ?? "screen"
    if report.framesRendered == 0 {
      problems.append(
        VitrineError(
          nothingPlayed, subject: screen, message: "none of the clips was shown", remedy: "see the errors beside this"))
    }
    for (name, item) in zip(clips, report.items) where report.framesRendered > 0 && item.framesRendered == 0 {
      let reason = item.errors.first.map { ": \($0.text)" } ?? ""
      problems.append(
        VitrineError(
          nothingPlayed, subject: name, message: "it wasn't shown\(reason)",
          remedy: "run: vitrine play -v with it alone"))
    }
    let all = report.framesRendered + report.framesDropped
    if all > 0, Double(report.framesDropped) * 100 > Double(all) * allowedDrops {
      problems.append(
        VitrineError(
          framesDropped, subject: screen, message: "\(report.framesDropped) of \(all) frames came too late",
          remedy: "see which decoders are in use, and what the processor has to do to their frames"))
    }
    return problems
  }

  /// Removes identifying words from a line about a device: addresses of Bluetooth, serial numbers, and hosts in the
  /// names of sound servers' devices.
  public static func withoutAddresses(_ line: String) -> String {
    line.split(separator: " ", omittingEmptySubsequences: false).map { word in
      for kind in ["pulse:", "pipewire:"] where word.hasPrefix(kind) { return kind + "..." }
      let digits = word.utf8.filter { byte in
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
      }
      let marks = word.utf8.filter { $0 == 0x3A || $0 == 0x5F || $0 == 0x2D }
      return digits.count >= 12 && marks.count >= 5 && digits.count + marks.count >= word.utf8.count - 2
        ? "..." : String(word)
    }.joined(separator: " ")
  }

  /// Parses lines of `NAME MD5`, one for each frame, into the checksums by clip. Unreadable lines are skipped.
  public static func checksums(_ text: String) -> [String: [String]] {
    var found: [String: [String]] = [:]
    for line in text.split(whereSeparator: \.isNewline) {
      let words = line.split(separator: " ")
      guard words.count == 2, words[1].utf8.count == 32 else { continue }
      found[String(words[0]), default: []].append(String(words[1]))
    }
    return found
  }
}
