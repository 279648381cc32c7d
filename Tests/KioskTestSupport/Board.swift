import Foundation
public import PlaybackCore

/// The virtual board of board/virtual: a kernel with real KMS planes, booted for one script.
public enum Board {
  /// The reason why a test on the board can't run here; nil when it can.
  public static let missing: String? = {
    let environment = ProcessInfo.processInfo.environment
    if let kernel = environment["VITRINE_BOARD_KERNEL"] {
      return FileManager.default.isExecutableFile(atPath: kernel) ? nil : "VITRINE_BOARD_KERNEL is not executable"
    }
    let cache =
      environment["XDG_CACHE_HOME"].map { URL(filePath: $0) }
      ?? FileManager.default.homeDirectoryForCurrentUser.appending(path: ".cache")
    let directory = cache.appending(path: "vitrine/virtual-board").path
    // Runs with another kernel leave their registries of GStreamer there.
    let found = ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).filter {
      FileManager.default.isExecutableFile(atPath: "\(directory)/\($0)/linux")
    }
    return found.isEmpty ? "no kernel yet: `make test-board` or board/virtual/build-kernel makes one" : nil
  }()

  /// The reason why a test with the board's decoders and CEC can't run here; nil when it can. Kernels that were built
  /// before these were in board/virtual/kernel.config lack them.
  public static let mediaMissing: String? = {
    if let missing { return missing }
    let kernel = ProcessInfo.processInfo.environment["VITRINE_BOARD_KERNEL"]
    guard let kernel else { return nil }
    guard let bytes = FileManager.default.contents(atPath: kernel), bytes.range(of: Data("visl".utf8)) != nil else {
      return "\(kernel) has no decoders: unset VITRINE_BOARD_KERNEL, then board/virtual/build-kernel makes one that has"
    }
    return nil
  }()

  /// The reason why a test that cuts the board's power can't run here: its kernel has no disks, or something else is
  /// missing.
  public static func disksMissing() async throws -> String? {
    let check = try await Tool.run(Tool.root.appending(path: "Tests/Tools/power-cuts").path, ["--check"])
    return check.status == 0 ? nil : check.errors
  }

  /// The lines of a script that start PulseAudio with one null sink, `speaker`. `serve` starts it again, and `$server`
  /// is its process.
  public static let soundServer = """
    ip link set lo up 2> /dev/null || true
    export XDG_RUNTIME_DIR=/run/user0 HOME=/run/home PULSE_RUNTIME_PATH=/run/pulse
    export PULSE_SERVER=unix:/run/pulse/native
    mkdir -p -m 700 $XDG_RUNTIME_DIR $HOME /run/pulse
    serve() {
      pulseaudio -n --daemonize=no --exit-idle-time=-1 --realtime=no --high-priority=no --use-pid-file=no \\
        -L "module-native-protocol-unix auth-anonymous=1 socket=/run/pulse/native" \\
        -L "module-null-sink sink_name=speaker rate=48000 channels=2" 2>> /run/out/server.log & server=$!
    }
    serve; sleep 1
    """

  /// Whether tests that take a minute or more are wanted: `make test-long`.
  public static let isLong = ProcessInfo.processInfo.environment["VITRINE_TEST_LONG"] == "1"

  /// The first `usual` of a test's cases, or all of them for `make test-long`. The first ones are those that fail where the
  /// others would.
  public static func cases<Case>(usual: Int, _ all: [Case]) -> [Case] { isLong ? all : Array(all.prefix(usual)) }

  /// The graphics card that the player finds.
  public enum Card: String, CaseIterable, Sendable {
    /// The plain vkms, whose planes don't scale.
    case vkms
    /// vkms with planes that scale (board/virtual/tools/scaling-card.c).
    case scaling

    /// For what doesn't depend on whether planes scale.
    public static let either = Board.cases(usual: 1, allCases)
  }

  public struct Run: Sendable {
    public var outcome: Tool.Outcome
    /// The files that the script left in /run/out.
    public var directory: TemporaryDirectory

    public func text(_ name: String) throws -> String {
      try String(contentsOf: directory.url.appending(path: name), encoding: .utf8)
    }

    /// The pictures that the script left as NAME.ppm.
    public func pictures(_ names: [String]) async throws -> [String: Pixels] {
      var shots: [String: Pixels] = [:]
      for name in names { shots[name] = try await Pixels(path: directory.path("\(name).ppm")) }
      return shots
    }

    /// The names of the files that played, in their order, by a player's log.
    public func played(in log: String = "log") throws -> [String] {
      try text(log).matches(of: /(?:vitrine: |<6>)item \d+: \S*\/([^\/\s]+)/).map { String($0.1) }
    }
  }

  /// The lines of a script that plug a touchscreen with a keyboard in: what is written to descriptor 3 is done on it.
  public static func touchscreen(_ size: PixelSize = PixelSize(width: 1280, height: 720)) -> String {
    """
    mkfifo /tmp/touch
    virtual-touch --size \(size.width)x\(size.height) < /tmp/touch > /run/out/touch & exec 3> /tmp/touch
    sleep 0.5
    """
  }

  /// Lines of a script that write a token to /tmp/token. `web PORT JSON` then sends the player's web server a request with it, and
  /// prints the answer.
  public static let web = """
    echo correct-horse-battery-staple > /tmp/token
    web() {
      printf 'POST /api HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\nAuthorization: Bearer %s\\r\\nContent-Type: application/json\\r\\nContent-Length: %s\\r\\n\\r\\n%s' \\
        "$(cat /tmp/token)" ${#2} "$2" | socat -t 0.2 - TCP:127.0.0.1:$1
    }

    """

  /// Makes an ext4 disk of 16 MB.
  ///
  /// - Returns: its file.
  public static func disk(in directory: TemporaryDirectory) async throws -> String {
    let disk = directory.path("disk")
    for (tool, arguments) in [("truncate", ["-s", "16M", disk]), ("mkfs.ext4", ["-q", "-b", "1024", "-F", disk])] {
      let made = try await Tool.run(tool, arguments)
      if made.status != 0 { throw MediaError(description: "\(tool): \(made.errors)") }
    }
    return disk
  }

  /// A line of a script that mounts that disk at /disk, without any safety: what isn't flushed is lost with the power.
  public static let mountsDisk =
    "mkdir /disk; mount -t ext4 -o data=writeback,noauto_da_alloc,commit=300 /dev/ubda /disk || exit 1"
  /// A line of a script that ends it with the board's power: no unmount, no sync, no goodbye. The kernel's call stops all
  /// at once.
  public static let cutsPower = "perl -e 'syscall(169, 0xfee1dead, 672274793, 0x4321fedc)'"

  /// A plane, as `kms-planes` prints it.
  public struct Plane: Codable, Sendable {
    public var plane: Int
    public var type: String
    public var order: Int
    public var crtc: Int
    public var fb: Int
    public var format: String?
    public var x: Int
    public var y: Int
    public var width: Int
    public var height: Int
    public var isLit: Bool { fb != 0 && crtc != 0 }
  }

  /// Boots, runs the bash script, powers off. In the script `$VITRINE` is the player, `$MEDIA` the clips and `$PROJECT`
  /// the repository; `disks` are the files for /dev/ubda and so on. With `isSystemd` systemd is process 1, and the
  /// script is its service. With `hasMedia` the board has decoders and a television with CEC, and `$DECODER_MEDIA` has
  /// clips for them; `$SCALING_CARD` is the library of board/virtual/tools that makes planes scale, which the player
  /// loads with `card: .scaling`, `$FAULTY_DECODER` the one that makes decoders fail.
  public static func run(
    _ script: String, isVirtualTime: Bool = true, devices: String = "default", disks: [String] = [],
    kernelArguments: [String] = [], isSystemd: Bool = false, hasMedia: Bool = false, card: Card = .vkms,
    limit: Double = 180
  ) async throws -> Run {
    let directory = try TemporaryDirectory()
    let file = try directory.write("set -u\n" + script, as: "script.sh")
    let media = URL(filePath: try await Media.path("text.mp4")).deletingLastPathComponent().path
    let decoderMedia = script.contains("DECODER_MEDIA") ? try await DecoderMedia.made.directory() : ""
    let tools = Tool.root.appending(path: "build/board")
    let player = card == .vkms ? Player.path : Tool.root.appending(path: "Tests/Tools/on-scaling-card").path
    var arguments = ["--out", directory.url.path, "--devices", devices, "--timeout", "\(Int(limit))"]
    for argument in kernelArguments { arguments += ["--kernel-arg", argument] }
    for disk in disks { arguments += ["--disk", disk] }
    if !isVirtualTime { arguments.append("--realtime") }
    if hasMedia { arguments.append("--media") }
    if isSystemd { arguments.append("--systemd") }
    arguments += [
      "--env", "VITRINE=\(player)", "--env", "PLAYER=\(Player.path)", "--env", "MEDIA=\(media)", "--env",
      "PROJECT=\(Tool.root.path)", "--env", "DECODER_MEDIA=\(decoderMedia)", "--env",
      "SCALING_CARD=\(tools.path)/scaling-card.so", "--env", "FAULTY_DECODER=\(tools.path)/faulty-decoder.so", file,
    ]
    let outcome = try await Tool.run(
      Tool.root.appending(path: "board/virtual/run").path, arguments, limit: limit + 20)
    return Run(outcome: outcome, directory: directory)
  }

  /// The planes in a file that `kms-planes` wrote.
  public static func planes(_ text: String) throws -> [Plane] {
    try text.split(separator: "\n").map { try JSONDecoder().decode(Plane.self, from: Data($0.utf8)) }
  }
}
