import KioskCore
import KioskRuntime
import PlaybackCore

/// `doctor --self-test`: decodes each clip with the decoder that would be used, and records the failed decoders for the
/// next start. Blocks.
struct DecoderTest {
  /// The number of the error when the record can't be written.
  static let notKept = 7800
  /// In pictures a second: a decoder that is slower with such a small clip can't play any film in time.
  private static let leastRate = 30.0

  let run: SelfTestRun
  /// The facts on decoders.
  let decoding: DoctorFacts.Decoding

  func lines(keeping record: DecoderRecordFile?) throws -> [Checkup.Line] {
    let expected = try run.expected()
    var lines: [Checkup.Line] = []
    var (failed, passed): (Set<String>, Set<String>) = ([], [])
    for name in expected.keys.sorted() {
      let (decoded, judgement, _) = run.decode(name, expected[name] ?? [])
      let rate = decoded.rate.map { ", \(Int($0.rounded())) in a second" } ?? ""
      let way = decoding.way(ofFramesOf: decoded.decoder, isHardware: decoded.isHardware)
      // A software decoder isn't excluded: none could replace it.
      let isKept = decoded.isHardware && !decoded.decoder.isEmpty
      switch judgement.verdict {
      case .failed:
        if isKept { failed.insert(decoded.decoder) }
        let remedy = isKept ? "it isn't used for a week; or " : ""
        lines.append(
          line(.problem, name, judgement.text, remedy: remedy + (judgement.error?.remedy ?? "report this as a bug")))
      case .passed, .notCompared:
        if isKept { passed.insert(decoded.decoder) }
        let isSlow = decoded.rate.map { $0 < Self.leastRate } ?? false
        lines.append(
          line(
            isSlow ? .warning : .ok, name, judgement.text + rate + (way.isEmpty ? "" : ", \(way)"),
            remedy: isSlow ? "films of a real size won't keep time; see what else the processor does (top)" : ""))
      }
    }
    guard let record, record.keep(failed: failed, passed: passed) else {
      let path = record?.path ?? "its file"
      lines.append(
        line(
          .warning, "record",
          "\(path) can't be written: the next start doesn't know what was found (error \(Self.notKept))",
          remedy: "run it as root or as the player's user"))
      return lines
    }
    return lines
  }

  private func line(
    _ verdict: Checkup.Verdict, _ topic: String, _ finding: String, remedy: String = ""
  ) -> Checkup.Line {
    Checkup.Line(verdict, .decoding, topic, finding, remedy: remedy)
  }
}
