import Foundation
import KioskTestSupport
import Testing

@Suite("The unit of systemd")
struct ServiceTests {
  private static let missing: String? =
    FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze") ? nil : "systemd is not installed"

  /// The unit with its drop-in, and a program that exists.
  private func units() async throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    let text = try String(contentsOf: Tool.root.appending(path: "deploy/vitrine.service"), encoding: .utf8)
    _ = try directory.write(text.replacing("/usr/bin/vitrine", with: Player.path), as: "vitrine.service")
    let folder = directory.url.appending(path: "vitrine.service.d")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: Tool.root.appending(path: "deploy/console/50-console.conf"), to: folder.appending(path: "50-console.conf"))
    return directory
  }

  @Test(
    "systemd-analyze security scores the unit at most 2.5",
    .enabled(if: Self.missing == nil, "systemd is not installed"))
  func score() async throws {
    let units = try await units()
    let outcome = try await Tool.run(
      "systemd-analyze",
      ["security", "--offline=yes", "--threshold=25", "--no-pager", units.path("vitrine.service")])
    #expect(outcome.status == 0, "\(outcome.output.split(separator: "\n").last ?? "")")
    #expect(outcome.output.contains("Overall exposure level for vitrine.service"), "\(outcome.errors)")
  }

  @Test(
    "systemd-analyze security scores the unit that mounts sticks below 3",
    .enabled(if: Self.missing == nil, "systemd is not installed"),
    arguments: ["vitrine-usb@.service", "vitrine-usb.service"])
  func stickScore(unit: String) async throws {
    let outcome = try await Tool.run(
      "systemd-analyze", ["security", "--offline=yes", "--threshold=29", "--no-pager", "deploy/usb/\(unit)"])
    #expect(outcome.status == 0, "\(outcome.output.split(separator: "\n").last ?? "")")
    #expect(outcome.output.contains("Overall exposure level for"), "\(outcome.errors)")
  }

  @Test(
    "systemd-analyze verify accepts the units",
    .enabled(if: Self.missing == nil, "systemd is not installed"))
  func verify() async throws {
    let units = try await units()
    let usb = Tool.root.appending(path: "deploy/usb").path
    let sticks = [
      "vitrine-usb@.service": "vitrine-usb@sda1.service", "vitrine-usb.service": "vitrine-usb.service",
      "vitrine-usb.path": "vitrine-usb.path",
    ]
    for (source, name) in sticks {
      let text = try String(contentsOfFile: "\(usb)/\(source)", encoding: .utf8)
      _ = try units.write(
        text.replacing("/usr/lib/vitrine/vitrine-usb-mount", with: "\(usb)/vitrine-usb-mount"), as: name)
    }
    for name in ["vitrine.service"] + sticks.values.sorted() {
      let outcome = try await Tool.run("systemd-analyze", ["verify", "--man=no", units.path(name)])
      // Lines about the machine's own units don't matter here.
      let lines = (outcome.output + outcome.errors).split(separator: "\n").filter { $0.contains("vitrine") }
      #expect(lines.isEmpty && outcome.status == 0, "\(outcome.errors)")
    }
  }
}

/// The installed unit, with systemd as process 1, on the virtual board's card. The board's kernel can't enforce
/// `DevicePolicy=` (no BPF), so the test compares the devices that the player opens with the unit's list.
@Suite(
  "The service on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct ServiceBoardTests {
  static let setUp =
    BoardService.install("h264-aac-640x360-30.mp4") + """
      # A touchscreen, so that there is one to open.
      mkfifo /tmp/touch; virtual-touch < /tmp/touch > /dev/null & exec 3> /tmp/touch; sleep 0.5

      """ + BoardService.unit(["ExecStart=", "ExecStart=/usr/bin/vitrine run --output kms --confirm-after 1"])
    + BoardService.state

  @Test("The service plays in its sandbox, restarts after a kill, and its sandbox refuses what it must")
  func sandbox() async throws {
    let run = try await Board.run(
      Self.setUp + """
        systemctl daemon-reload; systemctl start vitrine; confirmed
        pid=$(value pid)
        cat /proc/$pid/status > /run/out/status
        for file in /proc/$pid/fd/*; do readlink $file; done | grep -o '/dev/[a-z].*' | sort -u > /run/out/devices
        for task in /proc/$pid/task/*; do chrt -p ${task##*/}; done | grep -c SCHED_RR > /run/out/realtime
        grep -c 'r-xs.*orcexec' /proc/$pid/maps > /run/out/orc
        cat /sys/fs/cgroup/system.slice/vitrine.service/memory.max > /run/out/memory
        awk '/MemTotal/ { print $2 * 1024 }' /proc/meminfo >> /run/out/memory
        stat -c '%a %U' /var/lib/vitrine /run/vitrine > /run/out/folders
        kms-planes > /run/out/planes
        kms-screenshot /run/out/screen.ppm
        rm /run/vitrine/configuration.json; kill -9 $pid; confirmed
        echo "$(value state) $(systemctl show vitrine -p NRestarts --value)" > /run/out/again
        # A configuration confirmed before is confirmed at once, before its first frame.
        sleep 1; kms-planes > /run/out/planes-again
        systemctl stop vitrine
        systemctl show vitrine -p ActiveState --value > /run/out/stopped

        # Another program in the same sandbox; only the sandbox may refuse what it does.
        chmod 777 /srv/media /etc/vitrine /home; chmod 666 /etc/vitrine/vitrine.toml /usr/bin/vitrine
        cat > /srv/probe.py <<'PYTHON'
        import ctypes, mmap, os, socket
        libc = ctypes.CDLL(None, use_errno=True)
        def call(name, *arguments):
            if libc[name](*arguments) < 0: raise OSError(ctypes.get_errno(), name)
        def probe(name, attempt):
            try:
                attempt()
                print(name, "allowed")
            except OSError:
                print(name, "refused")
        probe("configuration", lambda: open("/etc/vitrine/vitrine.toml", "a"))
        probe("media", lambda: open("/srv/media/new", "w"))
        probe("home", lambda: open("/home/new", "w"))
        probe("program", lambda: open("/usr/bin/vitrine", "a"))
        probe("write-and-run", lambda: mmap.mmap(-1, 4096, prot=7))
        probe("namespace", lambda: call("unshare", 0x10000000))
        probe("mount", lambda: call("mount", b"none", b"/tmp", b"tmpfs", 0, None))
        probe("packets", lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW))
        probe("bluetooth", lambda: socket.socket(31, socket.SOCK_RAW, 1))
        probe("trace", lambda: call("ptrace", 16, 1, None, None))
        probe("clock", lambda: call("settimeofday", ctypes.create_string_buffer(16), None))
        probe("kernel", lambda: open("/proc/sys/kernel/sysrq", "w"))
        probe("log", lambda: call("klogctl", 3, ctypes.create_string_buffer(8), 8))
        probe("setuid-file", lambda: (open("/tmp/x", "w"), call("chmod", b"/tmp/x", 0o4755)))
        probe("host", lambda: socket.sethostname("other"))
        probe("others", lambda: os.stat("/proc/1/environ") and open("/proc/1/environ").read())
        probe("state", lambda: open("/var/lib/vitrine/new", "w"))
        PYTHON
        printf '[Service]\\nExecStart=\\nExecStart=/usr/bin/python3 /srv/probe.py\\nRestart=no\\nStandardOutput=file:/run/out/probe\\n' \
          > /etc/systemd/system/vitrine.service.d/test.conf
        systemctl daemon-reload; systemctl start vitrine
        for try in $(seq 50); do systemctl is-active -q vitrine || break; sleep 0.2; done
        """, isSystemd: true)
    let log = (try? run.text("log")) ?? "no log"
    #expect(run.outcome.status == 0, "\(run.outcome.output) \(run.outcome.errors) \(log)")
    let status = try run.text("status")
    for line in ["CapEff:\t0000000000000000", "CapBnd:\t0000000000000000", "NoNewPrivs:\t1", "Seccomp:\t2"] {
      #expect(status.contains(line), "\(line) in \(status)")
    }
    #expect(!status.contains("Uid:\t0"))
    // The loop still has real-time priority, and Orc still compiles.
    #expect(Int(try run.text("realtime").trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0 >= 1)
    #expect(try run.text("orc") != "0\n")
    #expect(try run.text("folders") == "750 vitrine\n755 vitrine\n")
    let memory = try run.text("memory").split(separator: "\n").compactMap { Double($0) }
    #expect(memory.count == 2 && abs(memory[0] / memory[1] - 0.7) < 0.03, "\(memory)")

    for name in ["planes", "planes-again"] {
      let planes = try Board.planes(try run.text(name))
      #expect(planes.contains { $0.type == "overlay" && $0.isLit && $0.format == "YU12" }, "\(name) \(log)")
    }
    #expect(try run.text("again") == "confirmed 1\n", "\(log)")
    #expect(try run.text("stopped") == "inactive\n")
    // The log names the kill where the player's record outlives it.
    #expect(!log.split(separator: "\n").contains { $0.contains("error") && !$0.contains("(error 7510)") }, "\(log)")

    // Cards, touch screens and sound devices are open, and only devices that the unit lists.
    let devices = Set(try run.text("devices").split(separator: "\n").map(String.init))
    #expect(devices.contains("/dev/dri/card0") && devices.contains { $0.hasPrefix("/dev/snd/") })
    #expect(devices.contains { $0.hasPrefix("/dev/input/") })
    let listed = ["/dev/dri/", "/dev/input/", "/dev/snd/", "/dev/null", "/dev/urandom", "/dev/random", "/dev/zero"]
    #expect(devices.filter { device in !listed.contains { device.hasPrefix($0) } }.isEmpty, "\(devices)")
    let unit = try String(contentsOf: Tool.root.appending(path: "deploy/vitrine.service"), encoding: .utf8)
    for group in ["char-drm", "char-input", "char-alsa"] { #expect(unit.contains("DeviceAllow=\(group) rw\n")) }

    let probes = try run.text("probe").split(separator: "\n").map(String.init)
    #expect(probes.count == 17 && probes.last == "state allowed", "\(probes)")
    for probe in probes.dropLast() { #expect(probe.hasSuffix(" refused"), "\(probe)") }
  }

  @Test("Ctrl+Alt+Del, once and in a burst, does nothing with the console's files installed")
  func controlAltDelete() async throws {
    let run = try await Board.run(
      """
      files="$PROJECT/deploy/console"
      install -D -m 644 "$files/60-vitrine-system.conf" /etc/systemd/system.conf.d/60-vitrine-system.conf
      ln -s /dev/null /etc/systemd/system/ctrl-alt-del.target
      systemctl daemon-reexec
      for press in 1 2 3 4 5 6 7 8 9; do kill -INT 1; done
      sleep 5
      systemctl show -p CtrlAltDelBurstAction > /run/out/action; systemctl list-jobs --no-legend > /run/out/jobs
      """, isSystemd: true)
    #expect(run.outcome.status == 0, "\(run.outcome.output) \(run.outcome.errors)")
    #expect(try !run.text("jobs").contains("reboot"))
  }
}
