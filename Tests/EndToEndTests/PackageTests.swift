import Foundation
import KioskTestSupport
import Testing

/// `vitrine-kiosk-generator`: systemd runs it at each start to make the units that depend on the machine.
@Suite("The package's generator")
struct KioskGeneratorTests {
  /// The files that the generator writes on a machine with `files`.
  private func written(_ files: [String]) async throws -> [String] {
    let machine = try TemporaryDirectory()
    for file in files + ["/usr/share/vitrine/console/50-console.conf"] {
      let place = machine.url.appending(path: file)
      try FileManager.default.createDirectory(at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data("[Service]\n".utf8).write(to: place)
    }
    let generated = try TemporaryDirectory()
    // systemd runs it at the start and again at `daemon-reload`.
    for _ in 0..<2 {
      let outcome = try await Tool.run(
        Tool.root.appending(path: "deploy/package/systemd/vitrine-kiosk-generator").path, [generated.url.path],
        environment: ["VITRINE_ROOT": machine.url.path])
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    return try FileManager.default.subpathsOfDirectory(atPath: generated.url.path).sorted()
  }

  private static let enabled = "/etc/systemd/system/multi-user.target.wants/vitrine.service"
  private static let console = "/sys/class/tty/tty1"

  @Test("On a machine with a console the player gets it, and Ctrl+Alt+Del does nothing")
  func kiosk() async throws {
    #expect(
      try await written([Self.enabled, Self.console])
        == ["ctrl-alt-del.target", "vitrine.service.d", "vitrine.service.d/50-console.conf"])
  }

  @Test(
    "The console's file comes from the installation's prefix", arguments: ["/usr", "/usr/local", "/opt/vitrine"])
  func elsewhere(prefix: String) async throws {
    let machine = try TemporaryDirectory()
    let made = try await Tool.run(
      "make",
      [
        "-s", "-C", Tool.root.path, "install", "PREFIX=\(prefix)", "DESTDIR=\(machine.url.path)",
        "BINARY=\(Player.path)",
      ])
    try #require(made.status == 0, "\(made.errors)")
    for file in [Self.enabled, Self.console] {
      let place = machine.url.appending(path: file)
      try FileManager.default.createDirectory(at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data().write(to: place)
    }
    let generated = try TemporaryDirectory()
    let outcome = try await Tool.run(
      machine.path(prefix + "/lib/systemd/system-generators/vitrine-kiosk-generator"), [generated.url.path],
      environment: ["VITRINE_ROOT": machine.url.path])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let written = try FileManager.default.subpathsOfDirectory(atPath: generated.url.path).sorted()
    #expect(written == ["ctrl-alt-del.target", "vitrine.service.d", "vitrine.service.d/50-console.conf"])
  }

  @Test(
    "The generator changes nothing on a desktop, in a container, without consoles or with the service disabled",
    arguments: [
      [enabled, console, "/etc/systemd/system/display-manager.service"], [enabled, console, "/run/systemd/container"],
      [enabled], [console],
    ])
  func others(files: [String]) async throws {
    #expect(try await written(files) == [])
  }
}

/// The packages built by `make deb`.
enum BuiltPackage {
  /// The newest package of the player for this machine.
  static let path: String? = newest(of: "vitrine_", "amd64")

  /// The package of the player, and that of the deploy tools.
  static let all: [String] = [path, newest(of: "vitrine-deploy_", "all")].compactMap { $0 }

  private static func newest(of prefix: String, _ architecture: String) -> String? {
    let folder = Tool.root.appending(path: "build/deb")
    let files = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: [.contentModificationDateKey])
    return files?.filter {
      $0.lastPathComponent.hasPrefix(prefix) && $0.lastPathComponent.hasSuffix("_\(architecture).deb")
    }
    .max { changed($0) < changed($1) }?.path
  }

  private static func changed(_ file: URL) -> Date {
    (try? file.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate) ?? .distantPast
  }
}

/// Installs the package from `make deb` on the virtual board, which has nothing else of the build.
@Suite(
  "The package on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"),
  .enabled(if: BuiltPackage.path != nil, "there is no package in build/deb (make test-deb makes it)"))
struct PackageBoardTests {
  @Test(
    "The installed service shows the demonstration on the card's planes, restarts after a kill, and stops")
  func picture() async throws {
    let package = try #require(BuiltPackage.path)
    let run = try await Board.run(
      """
      exec 2>&1
      \(BoardService.unit() + BoardService.state)
      # A container's word that packages start nothing; the board is none.
      rm -f /usr/sbin/policy-rc.d
      # The index of manual pages of the whole machine is none of ours.
      dpkg -i --no-triggers "\(package)" > /run/out/dpkg; echo "$?" >> /run/out/dpkg
      confirmed
      # Ten seconds of good frames confirm it: the film of eight seconds is over, and the poster is on the screen.
      sleep 1; kms-planes > /run/out/planes; kms-screenshot /run/out/screen.ppm
      pid=$(value pid); stat -c %U /proc/$pid > /run/out/user
      readlink /proc/$pid/exe > /run/out/program
      rm /run/vitrine/configuration.json; kill -9 $pid; confirmed
      sleep 2; kms-planes > /run/out/planes-again
      systemctl show vitrine -p NRestarts --value > /run/out/again
      systemctl stop vitrine; systemctl show vitrine -p Result --value > /run/out/stopped
      dpkg -P vitrine > /run/out/purged; echo "$?" >> /run/out/purged
      ls /usr/bin/vitrine /etc/vitrine /var/lib/vitrine >> /run/out/left 2> /dev/null
      true
      """, isSystemd: true)
    let log = (try? run.text("log")) ?? "no log"
    #expect(run.outcome.status == 0, "\(run.outcome.output) \(run.outcome.errors) \(log)")
    let installed = try run.text("dpkg")
    try #require(installed.hasSuffix("\n0\n"), "\(installed)")
    #expect(try run.text("user") == "vitrine\n", "\(log)")
    #expect(try run.text("program").hasSuffix("/usr/bin/vitrine\n"))
    for name in ["planes", "planes-again"] {
      #expect(try Board.planes(try run.text(name)).contains { $0.type == "overlay" && $0.isLit }, "\(name) \(log)")
    }
    #expect(try run.text("again") == "1\n")
    #expect(try run.text("stopped") == "success\n")
    #expect(try run.text("purged").hasSuffix("\n0\n"))
    #expect(try run.text("left") == "")

    #expect(try await run.isPoster("screen.ppm"))
  }
}
