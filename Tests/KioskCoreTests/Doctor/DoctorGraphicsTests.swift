import KioskCore
import Testing

@Suite("The doctor's findings on graphics chips of PCs")
struct DoctorGraphicsTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var vendor: Int
    var drivers: [String]
    /// The verdict of its line; nil without a line.
    var verdict: Checkup.Verdict?
    var package = ""
    var testDescription: String { "\(vendor) \(drivers)" }
  }

  @Test(
    "A chip without its driver gets a warning that names the package; a maker without a helpful package gets no line",
    arguments: [
      Case(vendor: 0x8086, drivers: ["iHD", "radeonsi"], verdict: .ok),
      Case(vendor: 0x8086, drivers: ["i965"], verdict: .ok),
      Case(vendor: 0x8086, drivers: ["radeonsi"], verdict: .warning, package: "intel-media-va-driver"),
      Case(vendor: 0x8086, drivers: [], verdict: .warning, package: "intel-media-va-driver"),
      Case(vendor: 0x1002, drivers: ["radeonsi"], verdict: .ok), Case(vendor: 0x1002, drivers: ["r600"], verdict: .ok),
      Case(vendor: 0x1002, drivers: ["iHD", "nouveau"], verdict: .warning, package: "mesa-va-drivers"),
      Case(vendor: 0x10DE, drivers: [], verdict: nil), Case(vendor: 0x1AF4, drivers: ["virtio_gpu"], verdict: nil),
    ])
  func drivers(_ example: Case) {
    var facts = DoctorRulesTests.healthy
    facts.decoding.renderNodes = [.init(path: "/dev/dri/renderD128", vendor: example.vendor)]
    facts.decoding.graphicsDrivers = example.drivers
    let checkup = Checkup(facts)
    let lines = checkup.lines.filter { $0.topic == "graphics" }
    #expect(lines.map(\.verdict) == (example.verdict.map { [$0] } ?? []), "\(lines)")
    #expect(lines.allSatisfy { $0.finding.hasPrefix("/dev/dri/renderD128 (") }, "\(lines)")
    #expect(
      lines.map(\.command)
        == lines.map { _ in example.package.isEmpty ? "" : "apt install \(example.package)" }, "\(lines)")
    #expect(lines.allSatisfy { $0.remedy.contains(example.package) || example.package.isEmpty })
    // All other lines are ok.
    #expect(checkup.verdict == example.verdict ?? .ok, "\(checkup.text)")
  }

  @Test("Each of two chips has its own line")
  func two() {
    var facts = DoctorRulesTests.healthy
    facts.decoding.renderNodes = [
      .init(path: "/dev/dri/renderD128", vendor: 0x8086), .init(path: "/dev/dri/renderD129", vendor: 0x1002),
    ]
    facts.decoding.graphicsDrivers = ["iHD"]
    let lines = Checkup(facts).lines.filter { $0.topic == "graphics" }
    #expect(lines.map(\.verdict) == [.ok, .warning] && lines.last?.finding.contains("renderD129 (AMD)") == true)
  }

  @Test(
    "The self-test reports the path of frames where it is known: for this decoder, on a plane",
    arguments: [
      ("avdec_h264", false, "untouched", "in software"),
      ("vah264dec", true, "untouched", "in hardware; frames go to the plane untouched"),
      ("vah264dec", true, "processed", "in hardware; the graphics chip writes frames once more"),
      ("vah264dec", true, "copied", "in hardware; the processor reads frames back"),
      ("vah264dec", true, "converted", "in hardware; the processor reads frames back"),
      ("vah264dec", true, "", "in hardware"), ("", false, "untouched", ""),
    ])
  func ways(decoder: String, isHardware: Bool, framePath: String, way: String) {
    var decoding = DoctorFacts.Decoding()
    decoding.codecs = [
      .init(name: "h264", title: "H.264", decoder: decoder, isHardware: isHardware, framePath: framePath)
    ]
    #expect(decoding.way(ofFramesOf: decoder, isHardware: isHardware) == way)
    // For another decoder that replaced this one.
    #expect(decoding.way(ofFramesOf: "v4l2slh264dec", isHardware: true) == "in hardware")
  }
}
