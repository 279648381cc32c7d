import Foundation
import KioskTestSupport
import Testing

/// A board: a player, and a real sshd beside it that lets this test in.
private final class SSHBoard: Sendable {
  let directory: TemporaryDirectory
  let port: Int
  static let missing: String? =
    FileManager.default.isExecutableFile(atPath: "/usr/sbin/sshd") ? nil : "openssh-server is not installed"

  init(port: Int) async throws {
    let directory = try TemporaryDirectory()
    self.directory = directory
    self.port = port
    for name in ["host", "user"] {
      let made = try await Tool.run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", directory.path(name)])
      try #require(made.status == 0, "\(made.errors)")
    }
    let config = try directory.write(
      """
      Port \(port)
      ListenAddress 127.0.0.1
      HostKey \(directory.path("host"))
      AuthorizedKeysFile \(directory.path("user.pub"))
      StrictModes no
      UsePAM no
      PasswordAuthentication no
      PidFile \(directory.path("sshd.pid"))
      """, as: "sshd_config")
    // sshd wants its directory for privilege separation, which Debian makes when the service starts.
    try? FileManager.default.createDirectory(atPath: "/run/sshd", withIntermediateDirectories: true)
    // It goes to the background by itself: sshd closes the descriptor by which Foundation knows that a process lives.
    let started = try await Tool.run("/usr/sbin/sshd", ["-f", config, "-E", directory.path("sshd.log")])
    try #require(started.status == 0, "\(started.errors)")
    for _ in 0..<200 {
      if try await Tool.run("ssh", sshOptions + ["board", "true"]).status == 0 { return }
      try await Task.sleep(for: .milliseconds(50))
    }
    throw CocoaError(.fileReadUnknown)
  }

  deinit {
    let text = try? String(contentsOfFile: directory.path("sshd.pid"), encoding: .utf8)
    if let pid = text.flatMap({ Int32($0.trimmingCharacters(in: .whitespacesAndNewlines)) }) { kill(pid, SIGTERM) }
  }

  private var sshOptions: [String] {
    [
      "-p\(port)", "-i\(directory.path("user"))", "-oStrictHostKeyChecking=no", "-oUserKnownHostsFile=/dev/null",
      "-oHostName=127.0.0.1", "-oLogLevel=ERROR", "-oBatchMode=yes",
    ]
  }

  /// Runs deploy/push or deploy/rollback against this board.
  func deploy(_ script: String, _ arguments: [String], player: RunningPlayer, wait: Int = 30) async throws
    -> Tool.Outcome
  {
    try await Tool.run(
      Tool.root.appending(path: "deploy/\(script)").path,
      sshOptions.flatMap { ["--ssh", $0] } + [
        "--folder", player.directory.path("etc"), "--runtime", player.directory.path("run"),
        "--on-board", Player.path, "--wait", "\(wait)",
      ] + (script == "push" ? ["--vitrine", Player.path] : []) + arguments, limit: 60)
  }
}

@Suite(
  "deploy/push and deploy/rollback over a real sshd", .serialized,
  .enabled(if: SSHBoard.missing == nil, "openssh-server is not installed"))
struct DeployTests {
  @Test("A configuration is pushed, confirmed, rolled back; a bad one changes nothing")
  func push() async throws {
    let board = try await SSHBoard(port: 20_000 + Int.random(in: 0..<20_000))
    let directory = try TemporaryDirectory()
    let long = try await Media.path("h264-60s-640x360-30.mp4")
    let other = try await Media.path("vp8-vorbis-320x240-25.webm")
    func text(_ uri: String) -> String { "version = 1\n[[playlist.main.item]]\nuri = \"\(uri)\"\n" }
    try RunningPlayer.write(text(long), as: "vitrine.toml", in: directory)
    let player = try RunningPlayer(["--confirm-after", "1"], in: directory)
    let first = try await player.state { $0.state == "confirmed" }

    let good = try directory.write(text(other), as: "good.toml")
    let pushed = try await board.deploy("push", ["board", good], player: player)
    #expect(pushed.status == 0 && pushed.output == "board: confirmed\n", "\(pushed)")
    let second = try await player.state { $0.state == "confirmed" }
    #expect(second.active != first.active)

    // Errors are found here, before anything is copied.
    let bad = try directory.write(text(other) + "colour = 1\n", as: "bad.toml")
    let refused = try await board.deploy("push", ["board", bad], player: player)
    #expect(refused.status == 78 && refused.errors.contains("unknown key"))

    // A drop-in can only be checked there, with the board's other files.
    let dropIn = try directory.write("[playback]\nlop = true\n", as: "drop.toml")
    let dropped = try await board.deploy("push", ["--as", "20-a.toml", "board", dropIn], player: player)
    #expect(dropped.status == 1)
    #expect(
      dropped.output
        == "board: refused, nothing was changed: conf.d/20-a.toml:2:1: [playback].lop: unknown key, did you mean loop?\n"
    )
    #expect(!FileManager.default.fileExists(atPath: directory.path("etc/conf.d/20-a.toml")))

    // What passes the check and doesn't play is the board's to refuse.
    let broken = try directory.write(text(try await Media.path("text.mp4")), as: "broken.toml")
    let unplayable = try await board.deploy("push", ["board", broken], player: player)
    #expect(unplayable.status == 1 && unplayable.output.hasPrefix("board: refused: "), "\(unplayable.output)")
    #expect(try await player.state { $0.state == "refused" }.active == second.active)

    let back = try await board.deploy("rollback", ["board"], player: player)
    #expect(back.status == 0 && back.output == "board: confirmed\n", "\(back)")
    #expect(try String(contentsOfFile: directory.path("etc/vitrine.toml"), encoding: .utf8) == text(other))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: directory.path("etc")).sorted()
        == [".previous", "vitrine.toml"])
    _ = try await player.stop()
  }

  @Test("A drop-in is added and taken away; a board that can't be reached, or that tells nothing, is told")
  func dropIn() async throws {
    let board = try await SSHBoard(port: 20_000 + Int.random(in: 0..<20_000))
    let directory = try TemporaryDirectory()
    let long = try await Media.path("h264-60s-640x360-30.mp4")
    try RunningPlayer.write(
      "version = 1\n[[playlist.main.item]]\nuri = \"\(long)\"\n", as: "vitrine.toml", in: directory)
    let player = try RunningPlayer(["--confirm-after", "1"], in: directory)
    let first = try await player.state { $0.state == "confirmed" }
    let file = try directory.write("[overlay]\nosd = \"never\"\n", as: "osd.toml")
    let pushed = try await board.deploy("push", ["--as", "20-osd.toml", "board", file], player: player)
    #expect(pushed.status == 0 && pushed.output == "board: confirmed\n", "\(pushed)")
    let second = try await player.state { $0.state == "confirmed" }
    #expect(second.active != first.active)
    let back = try await board.deploy("rollback", ["--as", "20-osd.toml", "board"], player: player)
    #expect(back.status == 0 && back.output == "board: confirmed\n", "\(back)")
    #expect(try await player.state { $0.state == "confirmed" }.active == first.active)
    let unknown = try await board.deploy("rollback", ["--as", "30-x.toml", "board"], player: player)
    #expect(unknown.status == 1 && unknown.output == "board: there is nothing to go back to\n")
    // Nobody tells anything there.
    _ = try await player.stop(signal: SIGKILL)
    try FileManager.default.removeItem(atPath: directory.path("run/configuration.json"))
    let silent = try await board.deploy("push", ["--as", "20-osd.toml", "board", file], player: player, wait: 1)
    #expect(silent.status == 1 && silent.output.contains("the player doesn't run"), "\(silent.output)")
  }

  @Test("The command lines say what is wrong with them")
  func usage() async throws {
    let push = Tool.root.appending(path: "deploy/push").path
    #expect(try await Tool.run(push, []).status == 64)
    #expect(try await Tool.run(push, ["board", "/no/such.toml"]).status == 64)
    #expect(try await Tool.run(push, ["--as", "x.toml", "board", "README.md"]).status == 64)
    #expect(try await Tool.run(push, ["--folder", "/a b", "board", "README.md"]).status == 64)
    #expect(try await Tool.run(Tool.root.appending(path: "deploy/rollback").path, []).status == 64)
    // Nobody listens there.
    let arguments = ["--no-check", "--ssh", "-p1", "--ssh", "-oHostName=127.0.0.1", "a", "b", "config/demo.toml"]
    let unreachable = try await Tool.run(push, arguments)
    #expect(unreachable.status == 1)
    #expect(unreachable.output.contains("a: unreachable") && unreachable.output.contains("b: unreachable"))
    #expect(try await Tool.run(push, ["--help"]).output.hasPrefix("usage: push"))
  }
}
