import Foundation
import KioskTestSupport
import Testing

@Suite(
  "deploy/push and deploy/rollback over a real sshd", .serialized,
  .enabled(if: SSHBoard.missing == nil, "openssh-server is not installed"))
struct DeployTests {
  @Test("A configuration is pushed, confirmed and rolled back; a bad one changes nothing")
  func push() async throws {
    let board = try await SSHBoard()
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

    // The desk's check finds errors before anything is copied.
    let bad = try directory.write(text(other) + "colour = 1\n", as: "bad.toml")
    let refused = try await board.deploy("push", ["board", bad], player: player)
    #expect(refused.status == 78 && refused.errors.contains("unknown key"))

    // A drop-in can only be checked on the board, with its other files.
    let dropIn = try directory.write("[playback]\nlop = true\n", as: "drop.toml")
    let dropped = try await board.deploy("push", ["--as", "20-a.toml", "board", dropIn], player: player)
    #expect(dropped.status == 1)
    #expect(
      dropped.output
        == """
        board: refused, nothing was changed: conf.d/20-a.toml:2:1: [playback].lop: unknown key, did you mean loop?
        board:     lop = true
        board:     ^
        board:     loop = true   <- write it so

        """
    )
    #expect(!FileManager.default.fileExists(atPath: directory.path("etc/conf.d/20-a.toml")))

    // A file that passes the check but doesn't play is refused by the board.
    let broken = try directory.write(text(try await Media.path("text.mp4")), as: "broken.toml")
    let unplayable = try await board.deploy("push", ["board", broken], player: player)
    #expect(unplayable.status == 1 && unplayable.output.hasPrefix("board: refused: "), "\(unplayable.output)")
    #expect(try await player.state { $0.state == "refused" }.active == second.active)

    let back = try await board.deploy("rollback", ["board"], player: player)
    #expect(back.status == 0 && back.output == "board: confirmed\n", "\(back)")
    #expect(try String(contentsOfFile: directory.path("etc/vitrine.toml"), encoding: .utf8) == text(other))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: directory.path("etc")).sorted()
        == [".generations", ".lock", "vitrine.toml"])
    _ = try await player.stop()
  }

  @Test("A drop-in is pushed and removed; a board without an answer is reported")
  func dropIn() async throws {
    let board = try await SSHBoard()
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
    // No player runs on the board.
    _ = try await player.stop(signal: SIGKILL)
    try FileManager.default.removeItem(atPath: directory.path("run/configuration.json"))
    let silent = try await board.deploy("push", ["--as", "20-osd.toml", "board", file], player: player, wait: 1)
    #expect(silent.status == 1 && silent.output.contains("the player doesn't run"), "\(silent.output)")
  }

  @Test(
    "A player that ends while a push looks at it doesn't end the push", .enabled(if: geteuid() == 0, "it needs root"))
  func endedMeanwhile() async throws {
    let directory = try TemporaryDirectory()
    let script = """
      set -- "\(directory.url.path)" /none /none 1 push vitrine.toml - -
      . deploy/board-side.sh
      pid=$(sh -c 'echo $$')
      look() { is_running=yes; }
      check_open
      echo checked
      """
    let outcome = try await Tool.run("sh", ["-c", script])
    #expect(outcome.output == "checked\n", "\(outcome)")
  }

  @Test("A wrong command line is refused with the reason")
  func usage() async throws {
    let push = Tool.root.appending(path: "deploy/push").path
    #expect(try await Tool.run(push, []).status == 64)
    #expect(try await Tool.run(push, ["board", "/no/such.toml"]).status == 64)
    #expect(try await Tool.run(push, ["--as", "x.toml", "board", "README.md"]).status == 64)
    #expect(try await Tool.run(push, ["--folder", "/a b", "board", "README.md"]).status == 64)
    #expect(try await Tool.run(Tool.root.appending(path: "deploy/rollback").path, []).status == 64)
    // No ssh server listens there.
    let arguments = ["--no-check", "--ssh", "-p1", "--ssh", "-oHostName=127.0.0.1", "a", "b", "config/demo.toml"]
    let unreachable = try await Tool.run(push, arguments)
    #expect(unreachable.status == 1)
    #expect(unreachable.output.contains("a: unreachable") && unreachable.output.contains("b: unreachable"))
    #expect(try await Tool.run(push, ["--help"]).output.hasPrefix("usage: push"))
  }
}
