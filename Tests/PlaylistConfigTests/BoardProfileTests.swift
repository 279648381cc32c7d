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

  @Test("All of ours can be read, and each is found by what its boards say of themselves")
  func ours() {
    let boards: [(BoardFacts, String)] = [
      (BoardFacts(compatible: ["raspberrypi,3-model-b-plus", "brcm,bcm2837"]), "raspberry-pi-3"),
      (BoardFacts(compatible: ["raspberrypi,4-model-b", "brcm,bcm2711"]), "raspberry-pi-4"),
      (BoardFacts(compatible: ["raspberrypi,5-model-b", "brcm,bcm2712"]), "raspberry-pi-5"),
      (BoardFacts(compatible: ["fsl,imx8mp-evk", "fsl,imx8mp"]), "imx8m"),
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
    #expect(load(BoardFacts(), from: "/no/such/folder") == LoadedBoardProfile())
  }

  @Test("Each value of ours has a comment above it that says where it is from")
  func sources() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: Self.folder) where name.hasSuffix(".toml") {
      let lines = try String(contentsOfFile: "\(Self.folder)/\(name)", encoding: .utf8).split(separator: "\n")
      for (index, line) in lines.enumerated() where line.contains(" = ") && !line.hasPrefix("#") {
        guard !line.hasPrefix("version") else { continue }
        #expect(lines[index - 1].hasPrefix("#"), "\(name): \(line)")
      }
    }
  }

  @Test("Files are merged in the order of their numbers; a name wins over what the board says; a bad file is told")
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

  @Test("Profiles are looked for where the program was installed, then beside it, then where packages put them")
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
    #expect(folder("/usr/local/bin/vitrine", [beside]) == BoardProfile.installedFolder)
    // A folder of that name with something else in it, such as a program for chess.
    #expect(folder("/opt/vitrine/vitrine", ["/opt/vitrine/board/chess.toml"]) == BoardProfile.installedFolder)
    #expect(folder(nil, [beside]) == BoardProfile.installedFolder)
  }
}
