import Foundation
import KioskTestSupport
import Testing

@Suite("Arguments of deploy/push and deploy/rollback")
struct DeployArgumentTests {
  /// None of these may reach ssh, which would take seconds and end with 1.
  @Test(
    "A wrong name, number or path is refused before anything is sent",
    arguments: [
      ["rollback", "--as", "$(touch MARK)", "board"], ["rollback", "--as", "50-a.toml; touch MARK", "board"],
      ["rollback", "--as", "../../etc/passwd", "board"], ["rollback", "--as", "50-a/b.toml", "board"],
      ["rollback", "--to", "1; touch MARK", "board"], ["rollback", "--to", "-1", "board"],
      ["rollback", "--wait", "1; touch MARK", "board"], ["rollback", "--jobs", "0", "board"],
      ["rollback", "--on-board", "sh -c 'touch MARK'", "board"],
      ["rollback", "--runtime", "/run/'; touch MARK", "board"],
      ["rollback", "--folder", "etc", "board"], ["rollback", "-oProxyCommand=touch MARK"],
      ["rollback", "bo$(touch MARK)ard"], ["push", "--no-check", "bo ard", "config/demo.toml"],
      ["push", "--no-check", "--as", "50-$(touch MARK).toml", "board", "config/demo.toml"],
      ["push", "--no-check", "--as", "50-a.toml\ntouch MARK", "board", "config/demo.toml"],
    ])
  func hostile(_ line: [String]) async throws {
    let directory = try TemporaryDirectory()
    let mark = directory.path("mark")
    let arguments = line.dropFirst().map { $0.replacing("MARK", with: mark) }
    let outcome = try await Tool.run(
      Tool.root.appending(path: "deploy/\(line[0])").path,
      ["--ssh", "-p1", "--ssh", "-oHostName=127.0.0.1"] + arguments)
    #expect(outcome.status == 64, "\(outcome)")
    #expect(!FileManager.default.fileExists(atPath: mark))
  }

  @Test("Words arrive at a plain sh unchanged, with any characters")
  func quoted() async throws {
    let words = ["a b", "it's", "''", "$(id)", "`id`", "\\", "\\'", "a\nb", "*", "~", "!x", "-n", "", "ü"]
    let outcome = try await Tool.run(
      "bash", ["-c", ". deploy/boards.sh; sh -c \"printf '<%s>' $(quoted \"$@\")\"", "bash"] + words)
    #expect(outcome.output == words.map { "<\($0)>" }.joined(), "\(outcome)")
  }

  @Test("deploy prints a board's words as plain text, without control characters")
  func plainText() async throws {
    let hostile =
      "\u{1B}[2J\u{1B}]0;title\u{07}done\r\u{9B}31m\u{7F} für\u{202E}\u{2066}\u{200B}\u{61C}\u{FEFF}–“\nsecond"
    let outcome = try await Tool.run("bash", ["-c", ". deploy/boards.sh; say shop1 \"$1\"", "bash", hostile])
    #expect(outcome.output == "shop1: [2J]0;titledone31m für–“\nshop1: second\n", "\(outcome)")
  }
}

@Suite(
  "Reports of deploy match the board's state", .serialized,
  .enabled(if: SSHBoard.missing == nil, "openssh-server is not installed"))
struct DeployTruthTests {
  private static let night = "[[schedule.off]]\ndays = [\"weekdays\", \"weekend\"]\n"

  @Test("A push to a screen asleep by schedule is accepted, and confirmed when it wakes; reload says so too")
  func asleep() async throws {
    let board = try await PictureBoard("first", tail: Self.night)
    let first = try await board.player.state { $0.state == "candidate" && $0.screen == "asleep" }
    let pushed = try await board.push(board.text("second", tail: Self.night))
    #expect(pushed.status == 0, "\(pushed)")
    #expect(pushed.output == "board: accepted, shown when the screen wakes\n")
    let second = try await board.player.state { $0.files != first.files }
    #expect(second.state == "candidate")
    let reload = try await Tool.run(
      Player.path, ["reload", "--runtime", board.directory.path("run"), "--wait", "10"])
    #expect(reload.status == 0 && reload.output == "accepted, shown when the screen wakes\n", "\(reload)")
    // An unconfirmed configuration isn't among the generations.
    #expect(try await board.rollBack(["--list"]).output.split(separator: "\n").count == 1)
    board.player.signal(SIGUSR2)
    let awake = try await board.player.state { $0.state == "confirmed" }
    #expect(awake.files == second.files && awake.screen == "on")
  }

  @Test("The player can read a pushed file under a strict umask")
  func umask() async throws {
    let ssh = try await SSHBoard(settings: "ForceCommand umask 077; eval \"$SSH_ORIGINAL_COMMAND\"")
    let board = try await PictureBoard("first", ssh: ssh)
    _ = try await board.player.state { $0.state == "confirmed" }
    #expect(try await board.push("# nothing\n", ["--as", "20-a.toml"]).output == "board: confirmed\n")
    for (path, wanted) in [("etc/conf.d", 0o755), ("etc/conf.d/20-a.toml", 0o644)] {
      let attributes = try FileManager.default.attributesOfItem(atPath: board.directory.path(path))
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == wanted, "\(path)")
    }
  }

  @Test("A folder that the player can't read is reported, and nothing changes", .enabled(if: geteuid() == 0))
  func closedFolder() async throws {
    let ssh = try await SSHBoard()
    let directory = try TemporaryDirectory()
    for name in ["etc", "run"] {
      try FileManager.default.createDirectory(atPath: directory.path(name), withIntermediateDirectories: true)
    }
    // Another user's process with the player's name stands in for the player.
    let name = directory.path("vitrine-nobody")
    try FileManager.default.copyItem(atPath: "/bin/sleep", toPath: name)
    chmod(directory.url.path, 0o755)
    let player = Process()
    player.executableURL = URL(filePath: "/usr/bin/setpriv")
    player.arguments = ["--reuid", "65534", "--regid", "65534", "--clear-groups", name, "60"]
    try player.run()
    defer { player.terminate() }
    let comm = "/proc/\(player.processIdentifier)/comm"
    while try !String(contentsOfFile: comm, encoding: .utf8).hasPrefix("vitrine") { await Task.yield() }
    _ = try directory.write(
      "{\n  \"state\": \"confirmed\",\n  \"files\": \"0\",\n  \"pid\": \(player.processIdentifier)\n}\n",
      as: "run/configuration.json")
    chmod(directory.path("etc"), 0o700)
    let file = try directory.write("version = 1\n", as: "a.toml")
    let told = try await ssh.deploy("push", ["--no-check", "board", file], in: directory, wait: 1)
    #expect(
      told.status == 1
        && told.output.hasPrefix("board: nothing was changed: the player (user 65534) may not look into "),
      "\(told)")
    #expect(!FileManager.default.fileExists(atPath: directory.path("etc/vitrine.toml")))
  }

  @Test("A killed player's state file doesn't count as an answer")
  func stale() async throws {
    let board = try await PictureBoard("first")
    _ = try await board.player.state { $0.state == "confirmed" }
    _ = try await board.player.stop(signal: SIGKILL)
    // The state file still names these very files.
    let told = try await board.push(board.text("first"), wait: 1)
    #expect(told.status == 1, "\(told)")
    #expect(
      told.output.hasPrefix("board: in place; the player doesn't run: ")
        && told.output.hasSuffix(" was written by a process that has ended\n"))
  }

  @Test("deploy reports an unknown host key and a changed host key, and changes nothing")
  func hostKeys() async throws {
    let directory = try TemporaryDirectory()
    let known = try directory.write("", as: "known_hosts")
    let strict = ["-oStrictHostKeyChecking=yes", "-oUserKnownHostsFile=\(known)", "-oHostKeyAlias=board"]
    let ssh = try await SSHBoard(client: strict)
    let unknown = try await ssh.deploy("rollback", ["board"], in: directory)
    #expect(unknown.status == 1)
    #expect(unknown.output.hasPrefix("board: unknown host key, nothing was changed: "), "\(unknown)")
    let other = try String(contentsOfFile: ssh.directory.path("user.pub"), encoding: .utf8)
    _ = try directory.write("board \(other)", as: "known_hosts")
    let changed = try await ssh.deploy("rollback", ["board"], in: directory)
    #expect(changed.status == 1)
    #expect(changed.output.hasPrefix("board: another host key than the one known here, "), "\(changed)")
    let stranger = try await SSHBoard(client: ["-oIdentityFile=/dev/null", "-oPubkeyAuthentication=no"])
    let closed = try await stranger.deploy("rollback", ["board"], in: directory)
    #expect(closed.output.hasPrefix("board: not let in, nothing was changed: "), "\(closed)")
  }
}
