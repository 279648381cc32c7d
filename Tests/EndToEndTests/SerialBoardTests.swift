import Foundation
import KioskTestSupport
import Testing

/// Serial lines of a whole player on the virtual board: pseudo-terminals, whose near ends socat holds.
@Suite(
  "Serial lines on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct SerialBoardTests {
  /// `plug` makes a line /dev/ttyBOX whose other end reads /tmp/say and writes to /run/out/heard; `unplug` hangs it up.
  /// `say TEXT` is the device. `until FILE COUNT TEXT` waits until as many lines of a file have that text.
  private static let tools = """
    mkfifo /tmp/say
    exec 8<> /tmp/say
    # In scripts, because socat takes quotes away.
    cat > /tmp/box <<'END'
    cat /tmp/say & echo $! > /tmp/box.pid
    exec cat >> /run/out/heard
    END
    cat > /tmp/pad <<'END'
    sleep 5
    printf "KEY 1"
    sleep 100
    END
    plug() {
      socat PTY,link=/dev/ttyBOX,raw,echo=0 EXEC:'bash /tmp/box' & box=$!
      while [ ! -e /dev/ttyBOX ]; do sleep 0.05; done
    }
    unplug() { kill $box $(cat /tmp/box.pid); wait $box 2> /dev/null; rm -f /dev/ttyBOX; }
    say() { printf "$1" >&8; }
    until_has() {
      for i in $(seq 600); do
        [ "$(grep -c -- "$3" "$1")" -ge "$2" ] && return
        sleep 0.1
      done
      echo "$1 never had $2 times $3" >> /run/out/missed
    }

    """

  @Test("A line starts a clip and hears of its end; hung up in the middle, it works again; words are buttons")
  func line() async throws {
    let run = try await Board.run(
      Self.tools + """
        plug
        cat > /tmp/v.toml <<END
        version = 1
        [[playlist.main.item]]
        uri = "$MEDIA/h264-60s-640x360-30.mp4"
        [[playlist.hall.item]]
        uri = "$MEDIA/h264-640x360-30-2s.mp4"
        [[input.serial]]
        device = "/dev/ttyBOX"
        speed = 115200
        [[input.serial]]
        device = "/dev/ttyPAD"
        match = { "KEY 1" = "clip hall" }
        [[cue]]
        on = "item-ended"
        playlist = "hall"
        send = "serial:/dev/ttyBOX"
        text = "LIGHTS UP\\\\r\\\\n"
        END
        "$VITRINE" inputs --list --config /tmp/v.toml > /run/out/inputs
        # What comes is shown, and neither carried out nor answered.
        socat PTY,link=/dev/ttyPAD,raw,echo=0 EXEC:'bash /tmp/pad' & pad=$!
        "$VITRINE" inputs --for 12 --config /tmp/v.toml > /run/out/watched & watch=$!
        for i in 1 2 3 4; do sleep 2; say 'next\\r'; done
        wait $watch; kill $pad; rm -f /dev/ttyPAD
        "$VITRINE" run -v --config /tmp/v.toml --no-audio --output kms --mode 640x480 --osd never \\
          --control /tmp/control --report /run/out/r.json 2> /run/out/log & player=$!
        until_has /run/out/log 1 'serial: /dev/ttyBOX is open'
        until_has /run/out/log 1 'item 1: '
        "$VITRINE" inputs --list --config /tmp/v.toml > /run/out/held
        sleep 2
        say 'clip hall\\r'
        until_has /run/out/heard 1 'LIGHTS UP'
        cp /run/out/heard /run/out/first
        say 'clip ha'; sleep 1
        unplug
        until_has /run/out/log 1 'serial: /dev/ttyBOX is gone'
        plug
        until_has /run/out/log 2 'serial: /dev/ttyBOX is open'
        say 'clip hall\\r'
        until_has /run/out/heard 2 'LIGHTS UP'
        # A keypad that is plugged in last, and ends its words with a pause.
        socat PTY,link=/dev/ttyPAD,raw,echo=0 EXEC:'bash /tmp/pad' &
        until_has /run/out/heard 3 'LIGHTS UP'
        kill -TERM $player; wait $player; echo $? > /run/out/ended
        """)
    let log = try run.text("log")
    #expect((try? run.text("missed")) == nil, "\(log)")
    #expect(try run.text("ended") == "0\n", "\(run.outcome.errors) \(log)")
    #expect(try run.text("first") == "ok\r\nLIGHTS UP\r\n", "\(log)")
    #expect(try run.text("heard") == "ok\r\nLIGHTS UP\r\nok\r\nLIGHTS UP\r\nLIGHTS UP\r\n", "\(log)")
    let (loop, clip) = ("h264-60s-640x360-30.mp4", "h264-640x360-30-2s.mp4")
    #expect(try run.played() == [loop, clip, loop, clip, loop, clip, loop], "\(log)")
    #expect(log.contains("serial: clip by /dev/ttyBOX"), "\(log)")
    let inputs = try run.text("inputs")
    #expect(inputs.contains("serial /dev/ttyBOX (115200 8N1): commands\n"), "\(inputs)")
    #expect(inputs.contains("serial /dev/ttyPAD (9600 8N1): KEY 1: clip hall\n"), "\(inputs)")
    #expect(inputs.contains("/dev/ttyPAD: there is no such serial line"), "\(inputs)")
    let watched = try run.text("watched")
    #expect(watched.contains("serial /dev/ttyBOX: command next\n"), "\(watched)")
    #expect(watched.contains("serial /dev/ttyPAD: KEY 1 -> clip hall\n"), "\(watched)")
    let held = try run.text("held")
    #expect(held.contains("/dev/ttyBOX: another program has the serial line"), "\(held)")
  }

  @Test("The service's user may open lines, by the package's group; a line of another group is told")
  func service() async throws {
    let run = try await Board.run(
      BoardService.install("h264-60s-640x360-30.mp4")
        + BoardService.unit([
          "ExecStart=", "ExecStart=/usr/bin/vitrine run -v --output kms --no-audio --confirm-after 1",
        ])
        + BoardService.state + Self.tools + """
          cp "$PROJECT/deploy/package/debian/vitrine.sysusers" /usr/lib/sysusers.d/vitrine.conf
          systemd-sysusers vitrine.conf
          socat PTY,link=/dev/ttyOTHER,raw,echo=0,group=root,mode=660 EXEC:'sleep 600' &
          socat PTY,link=/dev/ttyBOX,raw,echo=0,group=dialout,mode=660 EXEC:'bash /tmp/box' &
          while [ ! -e /dev/ttyBOX ] || [ ! -e /dev/ttyOTHER ]; do sleep 0.05; done
          stat -L -c '%G %a' /dev/ttyBOX > /run/out/mode
          cat >> /etc/vitrine/vitrine.toml <<'END'
          [[input.serial]]
          device = "/dev/ttyBOX"
          [[input.serial]]
          device = "/dev/ttyOTHER"
          END
          systemctl daemon-reload; systemctl start vitrine
          confirmed
          say 'hello\\r'
          until_has /run/out/heard 1 'ok vitrine'
          systemctl stop vitrine
          """, isSystemd: true)
    let log = try run.text("log")
    #expect(try run.text("mode") == "dialout 660\n")
    #expect((try? run.text("missed")) == nil, "\(run.outcome.output) \(log)")
    #expect(log.matches(of: /ttyOTHER: this user may not open the serial line.*\(error 7661\)/).count == 1, "\(log)")
  }
}
