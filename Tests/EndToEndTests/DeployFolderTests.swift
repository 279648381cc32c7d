import Foundation
import KioskTestSupport
import Testing

/// `deploy/board-side.sh` run as root in folders that another user could write to. No ssh: the test is about the
/// board's side.
@Suite(
  "Folders that deploy/push writes to or refuses", .serialized,
  .enabled(if: geteuid() == 0, "plants files as another user"))
struct DeployFolderTests {
  private let directory: TemporaryDirectory
  private static let precious = "root's own\n"
  private static let text = "version = 1\n[[playlist.main.item]]\nuri = \"/usr/share/nothing.mp4\"\n"

  /// Makes a folder `way/etc` owned by root, and root's file `victim`, which other users may neither read nor write.
  init() throws {
    directory = try TemporaryDirectory()
    for name in ["way", "way/etc", "run", "elsewhere"] {
      try FileManager.default.createDirectory(
        at: directory.url.appending(path: name), withIntermediateDirectories: true)
    }
    chmod(directory.url.path, 0o755)
    let victim = try directory.write(Self.precious, as: "victim")
    chmod(victim, 0o600)
    _ = try directory.write(Self.text, as: "new.toml")
  }

  private func shell(_ script: String, asNobody: Bool = false) async throws {
    let nobody = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
    let line = (asNobody ? nobody : []) + ["sh", "-euc", "cd \(directory.url.path); " + script]
    let outcome = try await Tool.run("env", line)
    try #require(outcome.status == 0, "\(outcome)")
  }

  private func deploy(_ action: String = "push") async throws -> Tool.Outcome {
    try await Tool.run(
      "bash",
      [
        "-c",
        """
        set -euo pipefail; . deploy/boards.sh
        board_script "$1/new.toml" | timeout 30 sh -s -- "$1/way/etc" "$1/run" "$2" 1 \(action) vitrine.toml \
          "$(sha256sum < "$1/new.toml" | cut -d ' ' -f 1)" -
        """, "bash", directory.url.path, Player.path,
      ])
  }

  private func names(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path(folder)).sorted()
  }

  private func isUntouched() throws -> Bool {
    let victim = directory.path("victim")
    let mode = try FileManager.default.attributesOfItem(atPath: victim)[.posixPermissions] as? Int
    return try String(contentsOfFile: victim, encoding: .utf8) == Self.precious && mode == 0o600
      && names("elsewhere").isEmpty
  }

  /// Expects each action to refuse the folder with `reason`, and to leave the other user's files there as they are.
  private func refuses(_ reason: String) async throws {
    let before = try names("way")
    for action in ["push", "rollback", "list"] {
      let outcome = try await deploy(action)
      #expect(outcome.status == 1 && outcome.output.hasPrefix("nothing was changed: "), "\(action): \(outcome)")
      #expect(outcome.output.contains(reason), "\(action): \(outcome)")
    }
    #expect(try isUntouched())
    #expect(try names("way") == before)
  }

  @Test("A group that may write the folder can't lead root to other files by links of any name")
  func group() async throws {
    try await shell("chgrp 65534 way/etc; chmod 2775 way/etc")
    try await shell(
      """
      ln -s ../../victim way/etc/.lock; ln -s ../../elsewhere way/etc/conf.d
      mkdir -p way/etc/.generations/vitrine.toml; ln -s ../../../../victim way/etc/.generations/vitrine.toml/.new
      ln -s ../../victim way/etc/vitrine.toml
      """, asNobody: true)
    try await refuses("users other than root may change \(directory.path("way/etc"))")
  }

  @Test("The folder's owner can't either, nor the owner of a folder above it", arguments: ["way/etc", "way"])
  func owner(folder: String) async throws {
    try await shell("chown 65534 \(folder)")
    try await refuses("users other than root may change \(directory.path(folder))")
  }

  @Test("A user who may write a folder above it can't either, by a link in its place")
  func way() async throws {
    try await shell("chmod 777 way; rm -r way/etc")
    try await shell("ln -s ../elsewhere way/etc", asNobody: true)
    try await refuses("users other than root may change \(directory.path("way/etc"))")
  }

  @Test(
    "Files planted while the folder was open to others can't either",
    arguments: [
      ("ln -s ../../victim way/etc/.lock", ".lock isn't a file"),
      ("ln -s ../../elsewhere/new way/etc/.lock", ".lock isn't a file"),
      ("ln -s ../../elsewhere way/etc/conf.d", "conf.d isn't a file"),
      ("ln -s ../../elsewhere way/etc/.generations", ".generations isn't a file"),
      ("mkdir way/etc/.generations", "users other than root may change"),
      ("ln -s ../../victim way/etc/vitrine.toml", "vitrine.toml isn't a file"),
      ("mkfifo way/etc/vitrine.toml", "vitrine.toml isn't a file"),
    ])
  func leftOver(planted: String, reason: String) async throws {
    try await shell("chmod 777 way/etc")
    try await shell(planted, asNobody: true)
    try await shell("chmod 755 way/etc")
    try await refuses(reason)
  }

  @Test("rollback ignores a generation that another user made")
  func generation() async throws {
    try await shell("mkdir -p way/etc/.generations/vitrine.toml; chmod 777 way/etc/.generations/vitrine.toml")
    try await shell("cp new.toml way/etc/.generations/vitrine.toml/7", asNobody: true)
    try await shell("chmod 755 way/etc/.generations/vitrine.toml")
    try await refuses("vitrine.toml/7")
  }

  @Test("push writes to a folder of root's alone, whatever lies in the player's own folder")
  func own() async throws {
    // The player's state file is a pipe here, and the script must not block on it.
    try await shell("chown 65534 run; rm -f run/configuration.json")
    try await shell("mkfifo run/configuration.json", asNobody: true)
    let outcome = try await deploy()
    #expect(outcome.status == 1 && outcome.output.hasPrefix("in place; the player doesn't run"), "\(outcome)")
    #expect(try String(contentsOfFile: directory.path("way/etc/vitrine.toml"), encoding: .utf8) == Self.text)
    let mode = try FileManager.default.attributesOfItem(atPath: directory.path("way/etc/.lock"))[.posixPermissions]
    #expect(mode as? Int == 0o600)
    #expect(try isUntouched())
  }

  @Test("push follows root's own link to the folder")
  func ownLink() async throws {
    try await shell("mv way/etc way/there; ln -s there way/etc")
    #expect(try await deploy().output.hasPrefix("in place; the player doesn't run"))
    #expect(try names("way/there").contains("vitrine.toml"))
  }
}
