import Foundation
import KioskTestSupport
import Testing

/// A player with a real sshd beside it that accepts this test's key.
final class SSHBoard: Sendable {
  let directory: TemporaryDirectory
  let port: Int
  private let client: [String]
  static let missing: String? =
    FileManager.default.isExecutableFile(atPath: "/usr/sbin/sshd") ? nil : "openssh-server is not installed"

  /// - Parameters:
  ///   - settings: lines for sshd's configuration.
  ///   - client: options of ssh, put before the usual ones.
  init(settings: String = "", client: [String] = []) async throws {
    let directory = try TemporaryDirectory()
    let port = try FreePort.next()
    self.client = client
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
      \(settings)
      """, as: "sshd_config")
    // sshd needs its directory for privilege separation, which Debian's service makes at its start.
    try? FileManager.default.createDirectory(atPath: "/run/sshd", withIntermediateDirectories: true)
    // sshd goes to the background by itself: it closes the descriptor by which Foundation tracks a process.
    let started = try await Tool.run("/usr/sbin/sshd", ["-f", config, "-E", directory.path("sshd.log")])
    try #require(started.status == 0, "\(started.errors)")
    // It writes this file when it listens.
    try await eventually("sshd doesn't listen: \(log)") {
      FileManager.default.fileExists(atPath: directory.path("sshd.pid"))
    }
    let login = try await Tool.run("ssh", trusting + ["board", "true"])
    try #require(login.status == 0, "\(login.errors)\(log)")
  }

  deinit {
    let text = try? String(contentsOfFile: directory.path("sshd.pid"), encoding: .utf8)
    if let pid = text.flatMap({ Int32($0.trimmingCharacters(in: .whitespacesAndNewlines)) }) { kill(pid, SIGTERM) }
  }

  private var log: String { (try? String(contentsOfFile: directory.path("sshd.log"), encoding: .utf8)) ?? "" }

  private var trusting: [String] {
    [
      "-p\(port)", "-i\(directory.path("user"))", "-oStrictHostKeyChecking=no", "-oUserKnownHostsFile=/dev/null",
      "-oHostName=127.0.0.1", "-oLogLevel=ERROR", "-oBatchMode=yes",
    ]
  }

  /// Runs deploy/push or deploy/rollback against this board.
  func deploy(_ script: String, _ arguments: [String], player: RunningPlayer, wait: Int = 30) async throws
    -> Tool.Outcome
  {
    try await deploy(script, arguments, in: player.directory, wait: wait)
  }

  /// - Parameter directory: a player's directory, with the folders `etc` and `run`.
  func deploy(_ script: String, _ arguments: [String], in directory: TemporaryDirectory, wait: Int = 30) async throws
    -> Tool.Outcome
  {
    try await Tool.run(
      Tool.root.appending(path: "deploy/\(script)").path,
      (client + trusting).flatMap { ["--ssh", $0] } + [
        "--folder", directory.path("etc"), "--runtime", directory.path("run"),
        "--on-board", Player.path, "--wait", "\(wait)",
      ] + (script == "push" ? ["--vitrine", Player.path] : []) + arguments, limit: 100)
  }
}
