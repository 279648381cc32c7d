import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// Plants secrets wherever a configuration may have them, and searches all that the program writes for them.
@Suite("Secrets in the program's output")
struct SecretsTests {
  /// All secrets contain this word, so that one search finds them.
  private static let secret = "S3CRET"
  private static let address = "http://me:\(secret)1@127.0.0.1:9"

  /// Makes a configuration with secrets whose first item plays, so that the player tries all the others too.
  private func plant() async throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    let picture = try await Media.path("picture-640x480.jpg")
    _ = try directory.write("\(Self.secret)2\n", as: "token")
    _ = try directory.write("\(Self.secret)3\n", as: "password")
    let list = try directory.write(
      "#EXTM3U\n#EXTINF:1,From a list\n\(Self.address)/listed.mp4?sig=\(Self.secret)4\n", as: "list.m3u")
    let uris = [
      picture, list, "\(Self.address)/film.mp4?sig=\(Self.secret)5#\(Self.secret)6",
      "\(Self.address)/live.m3u8?sig=\(Self.secret)7", "rtsp://me:\(Self.secret)8@127.0.0.1:9/cam?pwd=\(Self.secret)9",
    ]
    var text = """
      version = 1
      [playback]
      loop = true
      [store]
      directory = "\(directory.path("store"))"
      [[network.server]]
      host = "127.0.0.1"
      user = "me"
      password_file = "\(directory.path("password"))"
      [[network.server]]
      host = "other.example"
      token_file = "\(directory.path("token"))"

      """
    for uri in uris { text += "[[playlist.main.item]]\nuri = \"\(uri)\"\nduration = 0.3\n" }
    try FileManager.default.createDirectory(
      at: directory.url.appending(path: "etc"), withIntermediateDirectories: true)
    _ = try directory.write(text, as: "etc/vitrine.toml")
    return directory
  }

  private func search(_ text: String, _ from: String) {
    for line in text.split(separator: "\n") where line.contains(Self.secret) {
      Issue.record("\(from): \(line)")
    }
  }

  @Test("A player's log, report and state files have no secret, or are readable for its user alone")
  func player() async throws {
    let directory = try await plant()
    let player = try RunningPlayer([], in: directory)
    // Each of these items has failed and is in the log.
    try await player.logged { log in
      ["/listed.mp4", "/film.mp4", "/live.m3u8", "rtsp://127.0.0.1:9/cam"].allSatisfy(log.contains)
    }
    // An address of an unknown scheme is reported too.
    try player.write("version = 1\n[[playlist.main.item]]\nuri = \"ftp://me:\(Self.secret)@127.0.0.1/film.mp4\"\n")
    _ = try await player.state { $0.state == "refused" }
    let run = try await player.stop()
    search(run.outcome.errors, "log")
    let report = try #require(run.report)
    #expect(report.items.contains { $0.uri == "http://127.0.0.1:9/film.mp4?…" }, "\(report.items.map(\.uri))")
    let files = try #require(FileManager.default.enumerator(atPath: directory.url.path))
    for case let name as String in files
    where !["etc", "list.m3u", "token", "password"].contains(where: name.hasPrefix) {
      guard let text = FileManager.default.contents(atPath: directory.path(name)) else { continue }
      guard String(decoding: text, as: UTF8.self).contains(Self.secret) else { continue }
      let mode = try FileManager.default.attributesOfItem(atPath: directory.path(name))[.posixPermissions] as? Int
      // The last good configuration, the store's addresses and the state for the next process need the secrets.
      let isNeeded = ["state/", "store/", "run/run"].contains(where: name.hasPrefix)
      #expect(isNeeded && mode == 0o600, "\(name), \(String(mode ?? 0, radix: 8))")
    }
  }

  @Test("No command prints a secret")
  func commands() async throws {
    let directory = try await plant()
    let etc = directory.path("etc")
    try FileManager.default.createDirectory(
      at: directory.url.appending(path: "etc/conf.d"), withIntermediateDirectories: true)
    _ = try directory.write(
      "version = 1\n[network]\nproxy = \"http://me:\(Self.secret)@127.0.0.1:3128\"\n", as: "etc/conf.d/10-proxy.toml")
    let wrong = try directory.write(
      """
      version = 1
      [network]
      proxy = "ftp://me:\(Self.secret)@proxy/"
      [[playlist.main.item]]
      uri = "http://someone-with-a-long-name-so-that-it-is-cut-in-the-middle:\(Self.secret)@127.0.0.1:9/"
      duration = -1
      [[playlist.main.item]]
      uri = "http://me:\(Self.secret) \(Self.secret)@host/"

      """, as: "wrong.toml")
    let film = "\(Self.address)/film.mp4?sig=\(Self.secret)"
    for arguments in [
      ["check", etc], ["check", "--json", etc], ["check", "--probe", etc], ["check", wrong],
      ["check", "--json", wrong],
      ["check", "--probe", film], ["config", "show", "--config", etc], ["config", "show", "--origin", "--config", etc],
      ["config", "show", "--config", wrong], ["schedule", "--config", etc],
      ["config", "show", "--config", etc, "--set", "network.proxy=ftp://me:\(Self.secret)@x"],
      ["play", "--output", "headless", "--no-audio", film],
    ] {
      let outcome = try await Tool.run(Player.path, arguments, limit: 60)
      search(outcome.output + outcome.errors, arguments.prefix(3).joined(separator: " "))
      #expect(!(outcome.output + outcome.errors).isEmpty, "\(arguments)")
    }
  }
}
