import Foundation
import KioskCore
import KioskTestSupport
import Testing

@testable import KioskRuntime

/// The boot settings of boards' profiles, in real files; the test runs the doctor's commands.
@Suite("Boot settings")
struct BootSettingTests {
  private static let settings = [
    "config.txt: dtoverlay=vc4-kms-v3d,cma-512", "config.txt: disable_splash=1",
    "cmdline.txt: quiet vt.global_cursor_default=0",
  ]
  /// The files of Raspberry Pi OS.
  private static let stock = (
    config: """
    # Additional overlays and parameters are documented
    dtparam=audio=on
    # Enable DRM VC4 V3D driver
    dtoverlay=vc4-kms-v3d
    max_framebuffers=2

    [cm4]
    otg_mode=1

    [cm5]
    dtoverlay=dwc2,dr_mode=host

    """, commandLine: "console=serial0,115200 console=tty1 root=PARTUUID=0-02 rootwait\n"
  )

  struct Files: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var config: String
    var commandLine: String
  }

  private static let files = [
    Files(testDescription: "stock", config: stock.config, commandLine: stock.commandLine),
    Files(
      testDescription: "no newline at the end", config: stock.config + "[all]\ndisable_splash=0",
      commandLine: String(stock.commandLine.dropLast())),
    Files(testDescription: "empty", config: "", commandLine: ""),
    Files(testDescription: "an empty line", config: "\n", commandLine: "\n"),
    Files(
      testDescription: "newlines of Windows", config: stock.config.replacing("\n", with: "\r\n"),
      commandLine: stock.commandLine.replacing("\n", with: "\r\n")),
    Files(
      testDescription: "another overlay of the same, and one for one model",
      config: "  dtoverlay=vc4-fkms-v3d\n[pi4]\ndtoverlay=vc4-kms-v3d,cma-256\n", commandLine: "quiet  \n"),
  ]

  @Test("Each of the doctor's commands, run once, fulfils its setting; the rest of the files stays", arguments: files)
  func commands(_ files: Files) async throws {
    let directory = try TemporaryDirectory()
    let boot = directory.url.appending(path: "boot/firm ware")
    try FileManager.default.createDirectory(at: boot, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: directory.path("boot/firmware"), withDestinationPath: "firm ware")
    let (config, commandLine) = (boot.appending(path: "config.txt"), boot.appending(path: "cmdline.txt"))
    try files.config.write(to: config, atomically: true, encoding: .utf8)
    try files.commandLine.write(to: commandLine, atomically: true, encoding: .utf8)
    let reader = MachineReader(SystemRoot(directory.url.path))

    var facts = DoctorFacts()
    facts.boot = reader.boot(Self.settings)
    let commands = Checkup(facts).lines.filter { $0.topic == "boot" }.map(\.command)
    #expect(commands.count == Self.settings.count && commands.allSatisfy { !$0.isEmpty }, "\(commands)")
    let outcome = try await Tool.run("bash", ["-euc", commands.joined(separator: "\n")])
    #expect(outcome.status == 0, "\(outcome.errors)")

    facts.boot = reader.boot(Self.settings)
    #expect(Checkup(facts).lines.contains { $0.topic == "boot" && $0.verdict == .ok }, "\(facts.boot)")
    func lines(_ text: String) -> [String] { text.split(whereSeparator: \.isNewline).map(String.init) }
    let after = lines(try String(contentsOf: config, encoding: .utf8))
    let drivers = after.filter { $0.contains("kms-v3d") && !$0.hasPrefix("#") }
    #expect(drivers == ["dtoverlay=vc4-kms-v3d,cma-512"], "\(after)")
    for setting in ["dtoverlay=vc4-kms-v3d,cma-512", "disable_splash=1"] {
      let index = try #require(after.firstIndex(of: setting), "\(after)")
      #expect(after[..<index].last { $0.hasPrefix("[") } == "[all]", "\(after)")
    }
    for line in lines(files.config) where !line.contains("kms-v3d") { #expect(after.contains(line), "\(after)") }
    let words = lines(try String(contentsOf: commandLine, encoding: .utf8))
    #expect(words.count == 1)
    let before = files.commandLine.split(whereSeparator: \.isWhitespace).map(String.init)
    let wanted = ["quiet", "vt.global_cursor_default=0"].filter { !before.contains($0) }
    #expect(words.first?.split(separator: " ").map(String.init) == before + wanted)
  }

  @Test(
    "At least as much memory as the profile asks for fulfils the setting, with any other parameters; less doesn't",
    arguments: [
      ("dtoverlay=vc4-kms-v3d,cma-512", true), ("dtoverlay=vc4-kms-v3d,noaudio,cma-384", true),
      ("dtoverlay=vc4-kms-v3d,cma-256", true), ("dtoverlay=vc4-kms-v3d,cma-128", false),
      ("dtoverlay=vc4-kms-v3d", false), ("dtoverlay=vc4-kms-v3d-pi4,cma-512", false), ("cma-512", false),
    ])
  func overlay(line: String, isEnough: Bool) {
    let wanted = "dtoverlay=vc4-kms-v3d,cma-256"
    let missing = BootSetting.missing(of: wanted, "config.txt", in: "a=b\n\(line)\n", commandLine: "")
    #expect(missing == (isEnough ? [] : [wanted]))
  }

  @Test(
    "Debian's memory setting: the last line of the file, or the running kernel's command line",
    arguments: [
      ("CMA=256M", "", true), ("CMA=64M\nCMA=\"512M\"", "", true), ("CMA=1G", "", true),
      ("CMA=512M\nCMA=64M", "", false),
      ("#CMA=256M", "", false), ("", "quiet cma=256M", true), ("", "cma=256M@0-1G", true), ("", "cma=64M", false),
      ("CMA=all", "", false),
    ])
  func debian(text: String, commandLine: String, isEnough: Bool) {
    let missing = BootSetting.missing(
      of: "CMA=256M", "/etc/default/raspi-firmware", in: text, commandLine: commandLine)
    #expect(missing == (isEnough ? [] : ["CMA=256M"]))
  }

  @Test(
    "A line of config.txt counts in a section for this board or for all, and in no other one",
    arguments: [
      ("a=1", true), ("[all]\na=1", true), ("[pi4]\na=1", true), ("[PI4]\r\na=1", true), ("[pi3]\na=1", false),
      ("[pi3]\nb=2\n[pi4]\na=1", true), ("[pi3]\nb=2\n[all]\na=1", true), ("[pi4]\nb=2\n[pi5]\na=1", false),
      ("[none]\na=1", false), ("[none]\n[pi4]\na=1", false), ("[none]\n[all]\na=1", true),
      ("[gpio4=1]\na=1", false), ("[0x12345678]\na=1\n[all]\n", false), ("[EDID=VSC-TD2220]\na=1", false),
      ("[cm4]\na=1", false), ("#[pi3]\na=1", true),
    ])
  func sections(text: String, holds: Bool) {
    let missing = BootSetting.missing(
      of: "a=1", "config.txt", in: text, commandLine: "", model: "Raspberry Pi 4 Model B Rev 1.4")
    #expect(missing == (holds ? [] : ["a=1"]))
  }

  @Test(
    "Sections of config.txt apply to their boards",
    arguments: [
      ("Raspberry Pi 3 Model B Plus Rev 1.3", "pi3+", true), ("Raspberry Pi 3 Model B Rev 1.2", "pi3+", false),
      ("Raspberry Pi 400 Rev 1.0", "pi4", true), ("Raspberry Pi Zero 2 W Rev 1.0", "pi02", true),
      ("Raspberry Pi Zero W Rev 1.1", "pi02", false), ("Raspberry Pi Compute Module 4 Rev 1.0", "cm4", true),
      ("Raspberry Pi Compute Module 4 Rev 1.0", "pi4", true), ("Raspberry Pi Compute Module 4 Rev 1.0", "pi5", false),
      ("Raspberry Pi 5 Model B Rev 1.0", "pi5", true), ("Raspberry Pi Model B Rev 2", "pi1", true), ("", "pi4", false),
      ("Rockchip RK3399", "pi3", false),
    ])
  func models(model: String, section: String, holds: Bool) {
    let text = "[\(section)]\na=1\n"
    let missing = BootSetting.missing(of: "a=1", "config.txt", in: text, commandLine: "", model: model)
    #expect(missing == (holds ? [] : ["a=1"]))
  }

  @Test(
    "The project's images fulfil the boot settings of their boards' profiles",
    arguments: [
      ("20-raspberry-pi-3", "Raspberry Pi 3 Model B Rev 1.2"), ("21-raspberry-pi-4", "Raspberry Pi 4 Model B Rev 1.4"),
      ("22-raspberry-pi-5", "Raspberry Pi 5 Model B Rev 1.0"),
      ("23-raspberry-pi-zero-2", "Raspberry Pi Zero 2 W Rev 1.0"),
    ])
  func images(profile: String, model: String) throws {
    func text(_ path: String) throws -> String {
      try String(contentsOf: Tool.root.appending(path: path), encoding: .utf8)
    }
    let config = try text("deploy/image/raspberrypi-os/config.txt")
    let debian = try text("deploy/image/cmdline.txt").split(separator: "\n").filter { !$0.hasPrefix("#") }
      .map { $0.replacing("raspberrypi: ", with: "") }.joined(separator: " ")
    var places: Set<String> = []
    for line in try text("board/\(profile).toml").split(separator: "\n") where line.hasPrefix("  \"") {
      let parts = line.split(separator: "\"")[1].split(separator: ": ", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { continue }
      switch parts[0] {
      case "config.txt":
        #expect(BootSetting.missing(of: parts[1], parts[0], in: config, commandLine: "", model: model) == [])
      case let place where place.hasPrefix("/etc/default/raspi-firmware"):
        #expect(BootSetting.missing(of: parts[1], place, in: "", commandLine: debian) == [])
      default: continue
      }
      places.insert(parts[0])
    }
    #expect(places.count == 3)
  }
}
