import Foundation
import KioskTestSupport
import Testing

@Suite("A state directory that can't be written any more", .serialized)
struct ReadOnlyStateTests {
  private func film() async throws -> String {
    "version = 1\n[[playlist.main.item]]\nuri = \"\(try await Media.path("h264-60s-640x360-30.mp4"))\"\n"
  }

  @Test(
    "A read-only state folder's last good configuration plays; a newly confirmed one lasts until the end",
    .enabled(if: geteuid() == 0, "mounts a file system"))
  func readOnly() async throws {
    let directory = try TemporaryDirectory()
    let state = directory.path("state")
    try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
    let mounted = try await Tool.run("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", state])
    try #require(mounted.status == 0, "\(mounted.errors)")
    let result = await Result { try await play(in: directory) }
    _ = try await Tool.run("umount", ["-l", state])
    try result.get()
  }

  private func play(in directory: TemporaryDirectory) async throws {
    try RunningPlayer.write(try await film(), as: "vitrine.toml", in: directory)
    let first = try RunningPlayer(["--confirm-after", "1"], in: directory)
    let good = try await first.state { $0.state == "confirmed" }
    #expect(try await first.stop().outcome.status == 0)
    let modes = try FileManager.default.attributesOfItem(atPath: directory.path("state/last-good"))
    #expect(modes[.posixPermissions] as? Int == 0o600)

    let closed = try await Tool.run("mount", ["-o", "remount,ro", directory.path("state")])
    try #require(closed.status == 0, "\(closed.errors)")
    try RunningPlayer.write("version = 1\nnonsense\n", as: "vitrine.toml", in: directory)
    let second = try RunningPlayer(["--confirm-after", "1"], in: directory)
    #expect(try await second.state { $0.state == "rolled-back" }.active == good.active)
    // Two more changes, each with a trial and a confirmation.
    var active = good.active
    for seconds in [3, 4] {
      try second.write(try await film() + "[playback]\npicture_duration = \(seconds)\n")
      active = try await second.state { $0.state == "confirmed" && $0.active != active }.active
    }
    #expect(try await second.stop().outcome.status == 0)
    let warnings = second.log.split(separator: "\n").filter {
      $0.contains("can't be written") || $0.contains("can't be kept") || $0.contains("can't be noted")
    }
    let own = warnings.filter { !$0.contains("store:") }
    #expect(own.count == 1 && own.first?.contains("warning") == true, "\(warnings)")
    // The store is in the same folder and reports that for itself.
    #expect(warnings.count { $0.contains("(error 7406)") } == 1, "\(warnings)")
    // The configuration is kept in the volatile folder, until the board is switched off.
    try second.write("version = 1\nnonsense\n")
    let third = try RunningPlayer(["--confirm-after", "1"], in: directory)
    #expect(try await third.state { $0.state == "rolled-back" }.active == active)
    _ = try await third.stop()
  }
}

extension Result where Failure == any Error {
  fileprivate init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
