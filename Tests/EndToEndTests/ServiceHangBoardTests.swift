import Foundation
import KioskTestSupport
import Testing

/// The unit's READY, watchdog and store messages, with systemd as process 1 of the virtual board.
@Suite(
  "The service that hangs, on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct ServiceHangBoardTests {
  /// A wrapper that stores a file once, notes the files it is given, and then becomes the player.
  private static let store = """
    install -m 755 /dev/stdin /usr/bin/store-and-run <<'PYTHON'
    #!/usr/bin/python3
    import array, os, socket, sys
    names = os.environ.get("LISTEN_FDNAMES", "") if os.environ.get("LISTEN_PID") == str(os.getpid()) else ""
    with open("/run/vitrine/handed", "a") as file: file.write(names + "\\n")
    if "test" not in names.split(":"):
        address = os.environ["NOTIFY_SOCKET"]
        if address[0] == "@": address = "\\0" + address[1:]
        word = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [os.memfd_create("test")]))]
        word.sendmsg([b"FDSTORE=1\\nFDNAME=test\\nFDPOLL=0"], rights, 0, address)
    os.execv("/usr/bin/vitrine", ["vitrine"] + sys.argv[1:])
    PYTHON

    """

  private static let setUp =
    BoardService.install("h264-640x360-30-2s.mp4") + """
      now() { awk '{ printf "%d", $1 * 1000 }' /proc/uptime; }
      show() { systemctl show vitrine -p "$1" --value; }
      restarted() { for try in $(seq 300); do [ "$(show NRestarts)" -ge "$1" ] && break; sleep 0.05; done; }

      """

  @Test(
    "The service sends READY with the picture, keeps its store over a kill, and replaces a stopped player"
  )
  func hangs() async throws {
    let run = try await Board.run(
      Self.setUp + Self.store
        + BoardService.unit([
          "ExecStart=", "ExecStart=/usr/bin/store-and-run run --output kms --no-audio --confirm-after 1",
        ]) + """

          systemctl daemon-reload; systemctl start vitrine
          # Nothing is waited for: with READY there is a picture.
          kms-planes > /run/out/planes; show ActiveState > /run/out/state; show StatusText > /run/out/status
          sleep 1; show NFileDescriptorStore > /run/out/kept
          kill -9 "$(show MainPID)"; begin=$(now); restarted 1
          for try in $(seq 100); do [ "$(show ActiveState)" = active ] && break; sleep 0.05; done
          echo $(( $(now) - begin )) > /run/out/again
          kms-planes > /run/out/planes-again; show NFileDescriptorStore >> /run/out/kept
          cp /run/vitrine/handed /run/out/handed
          # Of what is stopped nothing comes; the watchdog finds it.
          kill -STOP "$(show MainPID)"; begin=$(now)
          ( for look in $(seq 15); do sleep 0.5; kms-planes; echo; done > /run/out/planes-stopped ) &
          restarted 2
          for try in $(seq 100); do [ "$(show ActiveState)" = active ] && break; sleep 0.05; done
          echo $(( $(now) - begin )) > /run/out/found
          kms-planes > /run/out/planes-found; show NFileDescriptorStore >> /run/out/kept
          journalctl -u vitrine -o cat > /run/out/journal
          systemctl stop vitrine; show Result > /run/out/stopped; show NFileDescriptorStore >> /run/out/kept
          ls /run/vitrine 2> /dev/null | wc -l >> /run/out/stopped
          """, isSystemd: true)
    let log = ((try? run.text("log")) ?? "no log") + ((try? run.text("journal")) ?? "")
    #expect(run.outcome.status == 0, "\(run.outcome.output) \(run.outcome.errors) \(log)")
    for name in ["planes", "planes-again", "planes-found"] {
      let planes = try Board.planes(try run.text(name))
      #expect(planes.contains { $0.type == "overlay" && $0.isLit }, "\(name) \(log)")
    }
    #expect(try run.text("state") == "active\n")
    #expect(try run.text("status").contains("h264-640x360-30-2s"))
    let times = try ["again", "found"].map { name in
      Int(try run.text(name).trimmingCharacters(in: .newlines)) ?? .max
    }
    // SIGABRT has 2 s to work, and SIGSTOP is found 6 s after the last heartbeat.
    #expect(times[0] < 1500 && times[1] < 10_000, "\(times) \(log)")

    let kept = try run.text("kept").split(separator: "\n").compactMap { Int($0) }
    // The card, and beside it the foreign file, until the player finds and removes that.
    #expect(kept == [2, 1, 2, 0], "\(kept)")
    let handed = try run.text("handed").split(separator: "\n", omittingEmptySubsequences: false)
    #expect(handed.first == "" && handed.dropFirst().first?.split(separator: ":").contains("test") == true, "\(handed)")
    #expect(try run.text("stopped") == "success\n0\n")
    // A player that stores its card keeps its picture.
    if let first = kept.first, first > 1 {
      let looks = try run.text("planes-stopped").components(separatedBy: "\n\n").filter { $0.count > 1 }
      #expect(looks.count > 10)
      for look in looks { #expect(try Board.planes(look).contains { $0.type == "overlay" && $0.isLit }) }
    }
  }

  @Test(
    "systemd restarts a failed player after seconds, and at once after an exit that asks for it or a crash",
    .long)
  func backOff() async throws {
    let run = try await Board.run(
      Self.setUp + """
        starts() { # WHAT
          printf '[Service]\\nType=simple\\nExecStart=\\nExecStart=/bin/sh -c "%s"\\n' "$1" > /etc/systemd/system/vitrine.service.d/test.conf
          systemctl daemon-reload; systemctl start vitrine; sleep 20
          show NRestarts >> /run/out/starts; begin=$(now); systemctl stop vitrine; echo $(( $(now) - begin )) >> /run/out/stops
        }
        mkdir -p /etc/systemd/system/vitrine.service.d
        starts 'exit 70'; starts 'exit 64'; starts 'exit 127'; starts 'exit 75'; starts 'kill -SEGV $$$$'
        """, isSystemd: true)
    let starts = try run.text("starts").split(separator: "\n").compactMap { Int($0) }
    try #require(starts.count == 5, "\(starts) \(run.outcome.output)")
    #expect(starts[..<3].allSatisfy { (3...6).contains($0) } && starts[3...].allSatisfy { $0 > 30 }, "\(starts)")
    // A stop waits only for files on their way.
    let stops = try run.text("stops").split(separator: "\n").compactMap { Int($0) }
    #expect(stops.count == 5 && stops.allSatisfy { $0 < 5500 }, "\(stops)")
  }

  @Test("systemd feeds the board's own watchdog with the package's file")
  func boardsWatchdog() async throws {
    let run = try await Board.run(
      """
      make -s -C "$PROJECT" install PREFIX=/usr DESTDIR=/run/made BINARY="$VITRINE" > /run/out/install 2>&1
      file=/usr/lib/systemd/system.conf.d/61-vitrine-watchdog.conf
      install -D -m 644 "/run/made$file" "$file"
      systemctl show -p RuntimeWatchdogUSec --value > /run/out/limit
      systemctl daemon-reexec
      systemctl show -p RuntimeWatchdogUSec --value >> /run/out/limit
      ls -l /proc/1/fd | grep -o '/dev/watchdog0*$' > /run/out/board
      # Somebody feeds it: nothing happens for longer than its time.
      sleep 40; echo alive >> /run/out/board
      """, isSystemd: true)
    #expect(run.outcome.status == 0, "\(run.outcome)")
    #expect(try run.text("limit").split(separator: "\n").last == "15s")
    let board = try run.text("board").split(separator: "\n")
    #expect(board.first?.hasPrefix("/dev/watchdog") == true && board.last == "alive", "\(board)")
  }
}
