import Foundation
import KioskTestSupport
import Testing

/// A board that plays a picture, which is cheap. Its configurations differ in a comment.
struct PictureBoard {
  let ssh: SSHBoard
  let directory: TemporaryDirectory
  let player: RunningPlayer
  private let picture: String

  init(
    _ mark: String, tail: String = "", confirmAfter: Int = 1, ssh: SSHBoard? = nil
  ) async throws {
    if let ssh { self.ssh = ssh } else { self.ssh = try await SSHBoard() }
    directory = try TemporaryDirectory()
    picture = try await Media.path("picture-800x600.png")
    try RunningPlayer.write(
      Self.text(mark, picture: picture, tail: tail), as: "vitrine.toml", in: directory)
    player = try RunningPlayer(["--confirm-after", "\(confirmAfter)"], in: directory)
  }

  private static func text(_ mark: String, picture: String, tail: String) -> String {
    "# \(mark)\nversion = 1\n[[playlist.main.item]]\nuri = \"\(picture)\"\n\(tail)"
  }

  func text(_ mark: String, tail: String = "") -> String { Self.text(mark, picture: picture, tail: tail) }

  /// The board's present text.
  func inPlace(_ name: String = "vitrine.toml") -> String? {
    try? String(contentsOfFile: directory.path("etc/\(name)"), encoding: .utf8)
  }

  func push(_ text: String, _ arguments: [String] = [], wait: Int = 30) async throws -> Tool.Outcome {
    let file = try directory.write(text, as: "pushed-\(UUID().uuidString).toml")
    return try await ssh.deploy("push", arguments + ["board", file], in: directory, wait: wait)
  }

  func rollBack(_ arguments: [String] = []) async throws -> Tool.Outcome {
    try await ssh.deploy("rollback", arguments + ["board"], in: directory)
  }
}

@Suite(
  "Generations that deploy/push and deploy/rollback keep", .serialized,
  .enabled(if: SSHBoard.missing == nil, "openssh-server is not installed"))
struct DeployGenerationsTests {
  @Test("A repeated push changes nothing and keeps the way back, also to a numbered generation")
  func repeated() async throws {
    let board = try await PictureBoard("first")
    _ = try await board.player.state { $0.state == "confirmed" }
    #expect(try await board.push(board.text("second")).output == "board: confirmed\n")
    let again = try await board.push(board.text("second"))
    #expect(again.status == 0 && again.output == "board: confirmed, nothing was new\n", "\(again)")
    let list = try await board.rollBack(["--list"]).output.split(separator: "\n")
    #expect(list.count == 2 && list[0].hasPrefix("board: 2: ") && list[0].hasSuffix(", in place"), "\(list)")

    #expect(try await board.rollBack().output == "board: confirmed\n")
    #expect(board.inPlace() == board.text("first"))
    // Going back and forth loses no generation.
    let forth = try await board.rollBack(["--to", "2"])
    #expect(forth.status == 0 && forth.output == "board: confirmed\n", "\(forth)")
    #expect(board.inPlace() == board.text("second"))
    let unknown = try await board.rollBack(["--to", "77"])
    #expect(unknown.status == 1)
    #expect(unknown.output == "board: there is no generation 77; see rollback --list\n")
    #expect(board.inPlace() == board.text("second"))
  }

  @Test("The last five confirmed generations are kept; a refused configuration isn't one of them")
  func five() async throws {
    let board = try await PictureBoard("first")
    _ = try await board.player.state { $0.state == "confirmed" }
    let kept = board.directory.path("etc/.generations/vitrine.toml")
    try FileManager.default.createDirectory(atPath: kept, withIntermediateDirectories: true)
    for number in 8...12 {
      try board.text("generation \(number)").write(toFile: "\(kept)/\(number)", atomically: true, encoding: .utf8)
    }
    #expect(try await board.push(board.text("second")).output == "board: confirmed\n")
    func numbers() throws -> [Int] {
      try FileManager.default.contentsOfDirectory(atPath: kept).compactMap { Int($0) }.sorted()
    }
    #expect(try numbers() == [10, 11, 12, 13, 14])
    #expect(try String(contentsOfFile: "\(kept)/14", encoding: .utf8) == board.text("second"))

    let broken = board.text("third").replacing("picture-800x600.png", with: "text.mp4")
    let refused = try await board.push(broken)
    #expect(refused.status == 1 && refused.output.hasPrefix("board: refused: "), "\(refused)")
    // The same file is tried again, because a server or a disk may be back.
    let still = try await board.push(broken)
    #expect(still.status == 1 && still.output.hasPrefix("board: refused: "), "\(still)")
    #expect(try numbers() == [10, 11, 12, 13, 14])
    #expect(try await board.rollBack().output == "board: confirmed\n")
    #expect(board.inPlace() == board.text("second"))
  }
}

@Suite(
  "Two operators at a time", .serialized,
  .enabled(if: SSHBoard.missing == nil, "openssh-server is not installed"))
struct DeployTogetherTests {
  @Test("Two pushes at once run one after the other, and each reports its own result")
  func both() async throws {
    let board = try await PictureBoard("first")
    let first = try await board.player.state { $0.state == "confirmed" }
    // A check of the report: the player's confirmed configurations, by fingerprint.
    let player = board.player
    let witness = Task {
      var seen: Set<String> = []
      _ = try? await player.state { state in
        if state.state == "confirmed", let files = state.files, files != first.files { seen.insert(files) }
        return seen.count == 2
      }
      return seen.count
    }
    async let a = board.push(board.text("from a"))
    async let b = board.push(board.text("from b"))
    let told = try await [a, b]
    #expect(told.map(\.output) == ["board: confirmed\n", "board: confirmed\n"])
    #expect(await witness.value == 2)
  }

  @Test("A push reports that somebody has replaced its file meanwhile")
  func byHand() async throws {
    let board = try await PictureBoard("first", confirmAfter: 20)
    let first = try await board.player.state { $0.state == "candidate" }
    async let pushed = board.push(board.text("second"), wait: 50)
    _ = try await board.player.state { $0.files != first.files }
    try board.player.write(board.text("by hand"))
    let told = try await pushed
    #expect(told.status == 1 && told.output.hasPrefix("board: replaced: somebody has changed "), "\(told)")
    #expect(board.inPlace() == board.text("by hand"))
  }

  @Test("A refused configuration stays refused when the trial before it is confirmed")
  func refusalDuringTrial() async throws {
    let board = try await PictureBoard("first")
    _ = try await board.player.state { $0.state == "confirmed" }
    try board.player.write(board.text("second"))
    let second = try await board.player.state { $0.state == "candidate" }
    try board.player.write(board.text("third", tail: "colour = 1\n"))
    let refused = try await board.player.state { $0.state == "refused" }
    #expect(refused.files != nil && refused.files != second.files)
    try await board.player.logged { $0.components(separatedBy: "configuration: confirmed").count == 3 }
    // SIGHUP is handled after all earlier events.
    let still = try await board.player.state { $0.state == "refused" && $0.active == second.files }
    #expect(still.files == refused.files)
  }

  @Test(
    "Many boards, two operators and faults of each kind: the report matches each board's files",
    .enabled(if: geteuid() == 0, "it needs root, for namespaces"))
  func manyBoards() async throws {
    let directory = try TemporaryDirectory()
    let outcome = try await Tool.run(
      Tool.root.appending(path: "Tests/Tools/many-boards").path,
      ["--boards", "8", "--binary", Player.path, "--out", directory.path("boards")], limit: 150)
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    #expect(outcome.output.contains("on 8 of 8"), "\(outcome.output)")
  }
}
