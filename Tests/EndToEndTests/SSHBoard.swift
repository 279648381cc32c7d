import Foundation
import KioskTestSupport
import Testing

/// A board: a player, and a real sshd beside it that lets this test in.
final class SSHBoard: Sendable {
  let directory: TemporaryDirectory
  let port: Int
  private let client: [String]
  static let missing: String? =
    FileManager.default.isExecutableFile(atPath: "/usr/sbin/sshd") ? nil : "openssh-server is not installed"

  /// - Parameters:
  ///   - settings: lines for sshd's configuration.
  ///   - client: options of ssh, before those that it takes otherwise.
  init(settings: String = "", client: [String] = []) async throws {
    let directory = try TemporaryDirectory()
    let port = 20_000 + Int.random(in: 0..<20_000)
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
    // sshd wants its directory for privilege separation, which Debian makes when the service starts.
    try? FileManager.default.createDirectory(atPath: "/run/sshd", withIntermediateDirectories: true)
    // It goes to the background by itself: sshd closes the descriptor by which Foundation knows that a process lives.
    let started = try await Tool.run("/usr/sbin/sshd", ["-f", config, "-E", directory.path("sshd.log")])
    try #require(started.status == 0, "\(started.errors)")
    for _ in 0..<200 {
      if try await Tool.run("ssh", trusting + ["board", "true"]).status == 0 { return }
      try await Task.sleep(for: .milliseconds(50))
    }
    throw CocoaError(.fileReadUnknown)
  }

  deinit {
    let text = try? String(contentsOfFile: directory.path("sshd.pid"), encoding: .utf8)
    if let pid = text.flatMap({ Int32($0.trimmingCharacters(in: .whitespacesAndNewlines)) }) { kill(pid, SIGTERM) }
  }

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

  /// - Parameter directory: of a player; with its folders `etc` and `run`.
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
