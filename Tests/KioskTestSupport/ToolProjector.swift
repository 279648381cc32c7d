import Foundation

/// A projector that speaks PJLink (Tests/Tools/pjlink-projector), and what it has got.
public final class ToolProjector: Sendable {
  private let directory: TemporaryDirectory
  private let server: ToolServer

  /// - Parameter arguments: options of the program.
  public init(_ arguments: String...) throws {
    directory = try TemporaryDirectory()
    server = try ToolServer("pjlink-projector", arguments + ["--log", directory.path("log")])
  }

  public var port: Int { server.port }

  public func tell(_ line: String) throws { try server.tell(line) }

  /// The commands that it has got, and what else has happened to it.
  public var log: [String] {
    let text = (try? String(contentsOfFile: directory.path("log"), encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init)
  }

  public func count(_ line: String) -> Int { log.count { $0 == line } }
}
