import Foundation
import KioskTestSupport
import Testing

@Suite("The installed program")
struct InstallTests {
  @Test("make install installs every file of the project that a unit or a text beside it names")
  func namedFiles() async throws {
    let directory = try TemporaryDirectory()
    let made = try await Tool.run(
      "make",
      ["-s", "-C", Tool.root.path, "install", "PREFIX=/usr", "DESTDIR=\(directory.url.path)", "BINARY=\(Player.path)"])
    try #require(made.status == 0, "\(made.errors)")
    func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: directory.path(path)) }
    let documents = "usr/share/doc/vitrine"
    // Files for systemd, udev and the kernel are installed under any name, and the files they name under the named
    // path.
    let deploy = Tool.root.appending(path: "deploy")
    let installed = try FileManager.default.subpathsOfDirectory(atPath: directory.url.path).compactMap {
      try? String(contentsOf: directory.url.appending(path: $0), encoding: .utf8)
    }
    var named: [String: String] = [:]
    for folder in ["", "console/", "usb/", "package/systemd/"] {
      for name in try FileManager.default.contentsOfDirectory(atPath: deploy.appending(path: folder).path)
      where [".service", ".path", ".conf", ".rules"].contains(where: { name.hasSuffix($0) }) {
        let text = try String(contentsOf: deploy.appending(path: folder + name), encoding: .utf8)
        #expect(installed.contains(text), "\(folder)\(name) isn't installed")
        for match in text.matches(of: /\/usr\/[A-Za-z0-9_.\/@-]*vitrine[A-Za-z0-9_.\/@-]*/) {
          named[String(match.output.dropFirst())] = name
        }
        for match in text.matches(of: /\bdocs\/[A-Za-z0-9_.\/@-]*[A-Za-z0-9]/) {
          named["\(documents)/\(match.output)"] = name
        }
      }
    }
    for (path, by) in named { #expect(isThere(path), "\(by) names \(path)") }
    #expect(named.count >= 4 && named["usr/bin/vitrine"] != nil && named["usr/lib/vitrine/vitrine-usb-mount"] != nil)
  }

  @Test("make install puts board profiles and languages where the program finds them, wherever that is")
  func boardProfiles() async throws {
    let directory = try TemporaryDirectory()
    for _ in 0..<2 {
      let made = try await Tool.run(
        "make", ["-s", "-C", Tool.root.path, "install", "PREFIX=\(directory.path("usr"))", "BINARY=\(Player.path)"])
      #expect(made.status == 0, "\(made.errors)")
    }
    let run = try await Tool.run(
      directory.path("usr/bin/vitrine"), ["displays", "--json"], environment: ["VITRINE_BOARD": "raspberry-pi-4"])
    let json = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let board = try #require(json["board"] as? [String: Any], "\(run.errors)")
    #expect(board["profiles"] as? [String] == ["raspberry-pi-4"])
    #expect(board["forbidden_seeks"] as? [String] == ["exact"])
    #expect(board["forbidden_seek_decoders"] as? [String] == ["v4l2slh265dec"])
    let languages = try FileManager.default.contentsOfDirectory(atPath: directory.path("usr/share/vitrine/languages"))
    #expect(Set(languages).isSuperset(of: ["ar.toml", "de.toml", "en.toml", "es.toml", "fr.toml", "ja.toml"]))
    for (language, isThere) in [("ja", true), ("tlh", false)] {
      let file = try directory.write(
        "version = 1\n[overlay]\nlanguage = \"\(language)\"\n[[playlist.main.item]]\nuri = \"a.mp4\"\n", as: "k.toml")
      let told = try await Tool.run(directory.path("usr/bin/vitrine"), ["check", file]).output
      #expect(told.contains("there are no texts in it here") != isThere, "\(told)")
      if !isThere { #expect(told.contains("one of ar, de, es, fr, ja"), "\(told)") }
    }
  }
}
