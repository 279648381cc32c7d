import ConfigurationFiles
import Foundation
import PlaybackCore
import PlaylistConfig
import Testing

@Suite("Board profiles")
struct BoardProfileTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "board").path

  private func load(_ facts: BoardFacts, from folder: String = folder) -> LoadedBoardProfile {
    BoardProfile.load(from: folder, for: facts)
  }

  @Test("All profiles of the repository can be read, and the facts of a board find its profile")
  func ours() {
    let boards: [(BoardFacts, String)] = [
      (BoardFacts(compatible: ["raspberrypi,3-model-b-plus", "brcm,bcm2837"]), "raspberry-pi-3"),
      (BoardFacts(compatible: ["raspberrypi,4-model-b", "brcm,bcm2711"]), "raspberry-pi-4"),
      (BoardFacts(compatible: ["raspberrypi,5-model-b", "brcm,bcm2712"]), "raspberry-pi-5"),
      (BoardFacts(compatible: ["raspberrypi,3-compute-module", "brcm,bcm2837"]), "raspberry-pi-3"),
      (BoardFacts(compatible: ["raspberrypi,model-zero-2-w", "brcm,bcm2837"]), "raspberry-pi-zero-2"),
      (BoardFacts(compatible: ["raspberrypi,4-compute-module-s", "brcm,bcm2711"]), "raspberry-pi-4"),
      (BoardFacts(compatible: ["raspberrypi,5-compute-module", "brcm,bcm2712"]), "raspberry-pi-5"),
      (BoardFacts(compatible: ["fsl,imx8mp-evk", "fsl,imx8mp"]), "imx8mp"),
      (BoardFacts(compatible: ["fsl,imx8mm-evk", "fsl,imx8mm"]), "imx8m"),
      (BoardFacts(compatible: ["xunlong,orangepi-3", "allwinner,sun50i-h6"]), "allwinner-h6"),
      (BoardFacts(compatible: ["libretech,aml-s905x-cc", "amlogic,s905x", "amlogic,meson-gxl"]), "amlogic"),
      (BoardFacts(processor: "Intel(R) N100"), "intel-n100"),
      (BoardFacts(processor: "AMD Ryzen Embedded R1505G with Radeon Vega Gfx"), "amd"),
      (BoardFacts(compatible: ["pine64,rockpro64-v2.1", "rockchip,rk3399"]), "rk3399"),
      (BoardFacts(compatible: ["radxa,rock-5b", "rockchip,rk3588"]), "rk3588"),
      (BoardFacts(compatible: ["pine64,pine64", "allwinner,sun50i-a64"]), "allwinner"),
      (BoardFacts(drivers: ["i915"]), "generic-x86"), (BoardFacts(name: "virtual"), "virtual"),
    ]
    for (facts, name) in boards {
      let loaded = load(facts)
      #expect(loaded.diagnostics.isEmpty, "\(loaded.diagnostics)")
      #expect(loaded.names == [name])
    }
    #expect(load(BoardFacts(compatible: ["acme,unheard-of"])).names.isEmpty)
    #expect(load(BoardFacts(name: "virtual")).profile.planeScales == false)
    #expect(load(BoardFacts(compatible: ["raspberrypi,4-model-b"])).profile.forbiddenSeeks == [.exact])
    #expect(
      load(BoardFacts(compatible: ["raspberrypi,4-model-b"])).profile.forbiddenSeekDecoders == ["v4l2slh265dec"])
    #expect(load(BoardFacts(compatible: ["raspberrypi,3-model-b"])).profile.decoderMemory == .copy)
    let decoding = load(BoardFacts(compatible: ["raspberrypi,3-model-b"])).profile.decoding
    #expect("\(decoding.h264.hardware.map { "\($0)" } ?? "")" == "1920x1080@30" && decoding.h264.level == 4.1)
    #expect(decoding.h265.hardware == nil && decoding.vp9.isEmpty)
    #expect(load(BoardFacts(compatible: ["raspberrypi,5-model-b"])).profile.decoding.h264.hardware == nil)
    #expect(
      load(BoardFacts(drivers: ["i915"], processor: "Intel(R) N100")).names == ["generic-x86", "intel-n100"])
    #expect(load(BoardFacts(), from: "/no/such/folder") == LoadedBoardProfile())
  }

  @Test("The film size that the shop's guide promises is in each profile of a board with Debian")
  func guide() throws {
    let page = URL(filePath: Self.folder).deletingLastPathComponent().appending(path: "docs/guide/shop.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let size = try #require(
      text.firstMatch(of: /Every board of this page plays H\.264 in MP4 with ([0-9]+)x([0-9]+)/))
    let (width, height) = (try #require(Int(size.output.1)), try #require(Int(size.output.2)))
    // The page is about a Raspberry Pi 3 or newer, or a PC, with Debian's kernel.
    for name in ["raspberry-pi-3", "raspberry-pi-4", "raspberry-pi-5", "intel-n100", "generic-x86"] {
      let decoding = load(BoardFacts(named: "\(name),6.12.48+deb13-arm64,1.26.2")).profile.decoding.h264
      let most = [decoding.hardware, decoding.software].compactMap(\.self).map { "\($0)" }
      let sizes = most.map { $0.split(whereSeparator: { "x@".contains($0) }).compactMap { Int($0) } }
      #expect(sizes.contains { $0.count > 1 && $0[0] >= width && $0[1] >= height }, "\(name): \(most)")
    }
  }

  @Test("An unknown board's name is reported, with the name that was probably meant")
  func misspelt() {
    let loaded = load(BoardFacts(named: "raspbery-pi-4"))
    #expect(loaded.names.isEmpty)
    #expect(
      loaded.diagnostics.map(\.description) == [
        "VITRINE_BOARD: there is no profile 'raspbery-pi-4' in \(Self.folder), did you mean raspberry-pi-4?"
      ])
    let unknown = load(BoardFacts(named: "toaster")).diagnostics.first?.description ?? ""
    #expect(unknown.contains("there is no profile 'toaster'") && unknown.contains("there are generic-x86, "))
    #expect(load(BoardFacts(named: "raspberry-pi-4,6.12.48,1.26.2")).diagnostics.isEmpty)
  }

  private static let debian = "6.12.48+deb13-arm64"
  private static let raspberryPiOS = "6.12.47+rpt-rpi-v8"

  /// A Raspberry Pi of this model with this kernel and GStreamer.
  private func pi(_ model: String, _ release: String, _ gstreamer: String) -> BoardProfile {
    load(BoardFacts(compatible: [model], release: release, gstreamer: SoftwareVersion(gstreamer))).profile
  }

  @Test(
    "Debian and Raspberry Pi OS get their own decoders and boot settings in a profile")
  func kernels() {
    for model in ["raspberrypi,3-model-b", "raspberrypi,model-zero-2-w", "raspberrypi,4-model-b"] {
      let (theirs, debian) = (pi(model, Self.raspberryPiOS, "1.22.0"), pi(model, Self.debian, "1.26.2"))
      #expect(theirs.decoding.h264.hardware != nil && debian.decoding.h264.hardware == nil, "\(model)")
      #expect(debian.decoding.h264.software == theirs.decoding.h264.software, "\(model)")
      #expect(theirs.bootSettings?.first?.contains("dtoverlay=vc4-kms-v3d") == true, "\(model)")
      #expect(debian.bootSettings?.contains { $0.contains("dtoverlay") } == false, "\(model)")
      #expect(debian.bootSettings?.contains { $0.contains("raspi-firmware") } == true, "\(model)")
    }
  }

  @Test("A decoder that works only on newer systems is used only there")
  func versions() {
    for model in ["raspberrypi,4-model-b", "raspberrypi,5-model-b"] {
      let newest = pi(model, "6.18.3+rpt-rpi-v8", "1.26.2")
      #expect(newest.avoidedDecoders == nil && newest.decoding.h265.hardware != nil, "\(model)")
      for old in [pi(model, Self.raspberryPiOS, "1.26.2"), pi(model, "6.18.3+rpt-rpi-v8", "1.22.0")] {
        #expect(old.avoidedDecoders == ["v4l2slh265dec"] && old.decoding.h265.hardware == nil, "\(model)")
      }
    }
    let rock = BoardFacts(
      compatible: ["radxa,rock-5b", "rockchip,rk3588"], release: "7.0.4", gstreamer: SoftwareVersion("1.26.2"))
    #expect(load(rock).profile.decoding.h264.hardware != nil && load(rock).profile.decoding.h265.hardware == nil)
  }

  @Test("A named board counts as its maker delivers it, unless a system is named with it")
  func named() {
    #expect(load(BoardFacts(named: "raspberry-pi-4")).profile.decoding.h264.hardware != nil)
    #expect(load(BoardFacts(named: "raspberry-pi-4")).profile.avoidedDecoders == nil)
    #expect(load(BoardFacts(named: "raspberry-pi-4,\(Self.debian),1.26.2")).profile.decoding.h264.hardware == nil)
    #expect(load(BoardFacts(named: "raspberry-pi-4,6.18.1")).profile.decoding.h265.hardware != nil)
    #expect(load(BoardFacts(named: "raspberry-pi-4,6.18.1,1.22.0")).profile.decoding.h265.hardware == nil)
  }

  @Test("Versions are numbers, and text after them is ignored")
  func ranges() throws {
    func holds(_ range: String, _ version: String) throws -> Bool {
      try #require(VersionRange(parsing: range)).contains(SoftwareVersion(version))
    }
    #expect(try holds(">=6.12 <6.18", "6.12.47+rpt-rpi-v8") && holds(">=6.12", "6.12") && holds(">=6.12", "6.12.0-rc1"))
    #expect(try !holds(">=6.12 <6.18", "6.18.0-1-arm64") && !holds("<6.18", "6.18") && holds("<6.18", "6.9.9"))
    #expect(try !holds("<6.18", "mainline"))
    #expect(SoftwareVersion("1.26") == SoftwareVersion("1.26.0") && SoftwareVersion("") == nil)
    for wrong in ["", "6.12", ">6.12", ">=6.18 <6.12", ">=6.12 >=6.13", ">=6.12-rc1", ">=", ">=6."] {
      #expect(VersionRange(parsing: wrong) == nil, "\(wrong)")
    }
  }

  @Test("The conditions of a match and its variants have to hold; mistakes in them are reported")
  func variants() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = [
      "10-new.toml": """
      version = 1
      [match]
      compatible = ["acme,box"]
      kernel = ">=6.12"
      release = ["-acme"]
      [decoder]
      avoid = ["a"]
      pictures = 1000
      [[when]]
      gstreamer = "<1.26"
      [when.decoder]
      avoid = ["b"]
      [[when]]
      release = ["none"]
      [when.planes]
      scale = false
      """,
      "20-bad.toml": "version = 1\n[[when]]\nkernel = \"6.12\"", "21-bad.toml": "version = 1\nwhen = [1]",
    ]
    for (name, text) in files { try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8) }
    func loaded(_ release: String, _ gstreamer: String) -> LoadedBoardProfile {
      load(
        BoardFacts(compatible: ["acme,box"], release: release, gstreamer: SoftwareVersion(gstreamer)), from: folder.path
      )
    }
    #expect(loaded("6.12.1-acme", "1.26").profile.avoidedDecoders == ["a"])
    #expect(loaded("6.12.1-acme", "1.22").profile.avoidedDecoders == ["b"])
    #expect(loaded("6.12.1-acme", "1.22").profile.picturesOfDecoder == 1000)
    #expect(loaded("6.12.1-acme", "1.22").profile.planeScales == nil)
    #expect(loaded("6.11-acme", "1.26").names.isEmpty && loaded("6.12-other", "1.26").names.isEmpty)
    let problems = loaded("6.12-acme", "1.26").diagnostics.map { "\($0)" }
    #expect(problems.count == 2)
    #expect(problems[0].contains("[when 1].kernel: \"6.12\": is not a range of versions"), "\(problems)")
    #expect(problems[1].contains("[[when]] is allowed"), "\(problems)")
  }

  @Test("Each value in the repository's profiles has a comment above it with its source")
  func sources() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: Self.folder) where name.hasSuffix(".toml") {
      let lines = try String(contentsOfFile: "\(Self.folder)/\(name)", encoding: .utf8).split(separator: "\n")
      for (index, line) in lines.enumerated() where line.contains(" = ") && !line.hasPrefix("#") {
        guard !line.hasPrefix("version") else { continue }
        #expect(lines[index - 1].hasPrefix("#"), "\(name): \(line)")
      }
    }
  }

  @Test("Files are merged by their numbers; a given name overrides the facts; a bad file is reported")
  func merging() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = [
      "10-all.toml": "version = 1\n[match]\ndmi = [\"acme\"]\n[planes]\nscale = true\n[boot]\nsettings = [\"a\"]",
      "20-box.toml":
        "version = 1\n[match]\ncompatible = [\"acme,box\"]\n[planes]\nscale = false\n[decoder]\ndeinterlace = \"frames\"",
      "30-bad.toml": "version = 1\n[plane]\nscale = false", "31-list.toml": "version = 1\n[seek]\nforbid = [\"all\"]",
      "32-limit.toml": "version = 1\n[plays.h264]\nhardware = \"1080p\"",
      "notes.toml": "nonsense", "1x-other.toml": "nonsense",
    ]
    for (name, text) in files { try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8) }
    let both = load(BoardFacts(compatible: ["acme,box"], dmi: ["ACME Inc."]), from: folder.path)
    #expect(both.names == ["all", "box"])
    #expect(both.profile.planeScales == false && both.profile.bootSettings == ["a"])
    #expect(both.profile.deinterlacing == .frames)
    #expect(both.diagnostics.count == 3)
    #expect("\(both.diagnostics[2])".contains("[plays.h264].hardware: \"1080p\": is not a size with a rate"))
    #expect("\(both.diagnostics[0])".contains("30-bad.toml:2:2: plane: unknown key"), "\(both.diagnostics)")
    #expect(load(BoardFacts(compatible: ["acme,box"], name: "all"), from: folder.path).names == ["all"])
    #expect(load(BoardFacts(name: "none"), from: folder.path).names.isEmpty)
  }

  @Test("Profiles are searched in the program's installation, then beside it, then in the package's place")
  func folders() {
    func folder(_ program: String?, _ files: [String]) -> String {
      BoardProfile.folder(
        ofProgram: program, files: FakeFiles(Dictionary(uniqueKeysWithValues: files.map { ($0, "") })))
    }
    let installed = "/usr/local/share/vitrine/board/10-a.toml"
    let beside = "/opt/vitrine/board/10-a.toml"
    #expect(
      folder("/usr/local/bin/vitrine", [installed, "/usr/local/bin/board/10-a.toml"])
        == "/usr/local/share/vitrine/board")
    #expect(folder("/opt/vitrine/vitrine", [beside, installed]) == "/opt/vitrine/board")
    #expect(folder("/usr/local/bin/vitrine", [beside]) == InstalledData.path("board"))
    // A folder of that name with other content, such as a chess program's.
    #expect(folder("/opt/vitrine/vitrine", ["/opt/vitrine/board/chess.toml"]) == InstalledData.path("board"))
    #expect(folder(nil, [beside]) == InstalledData.path("board"))
  }
}
