import Foundation
import KioskTestSupport
import Testing

/// Buttons on GPIO lines of the virtual board: the kernel's simulated chips (gpio-sim), whose lines the script pulls.
@Suite(
  "GPIO buttons on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct GPIOBoardTests {
  /// `chip NAME LINE...` makes a chip with these named lines, `pull LINE up|down` is the world outside, `unplug NAME`
  /// takes a chip away. `play` starts the player, `ends` stops it.
  static let tools = """
    mount -t configfs configfs /sys/kernel/config 2> /dev/null || true
    sims=/sys/kernel/config/gpio-sim
    chip() {
      local name=$1 number=0
      mkdir "$sims/$name" "$sims/$name/bank"
      echo 8 > "$sims/$name/bank/num_lines"
      shift
      for line; do
        mkdir "$sims/$name/bank/line$number"
        echo "$line" > "$sims/$name/bank/line$number/name"
        number=$((number + 1))
      done
      echo 1 > "$sims/$name/live"
    }
    unplug() { echo 0 > "$sims/$1/live"; }
    pull() { # CHIP LINE-NUMBER up|down
      echo "pull-$3" > "/sys/devices/platform/$(cat "$sims/$1/dev_name")/$(cat "$sims/$1/bank/chip_name")/sim_gpio$2/pull"
    }
    press() { pull "$1" "$2" down; sleep "${3:-0.2}"; pull "$1" "$2" up; }
    play() {
      cat > /tmp/v.toml
      "$VITRINE" run -v --config /tmp/v.toml --no-audio --output kms --mode 640x480 --osd never \\
        --control /tmp/control --report /run/out/r.json 2> /run/out/log & player=$!
      sleep 4
    }
    ends() { kill -TERM $player; wait $player; echo $? > /run/out/ended; }

    """

  private static let lists = """
    version = 1
    [[playlist.main.item]]
    uri = "'$MEDIA'/h264-60s-640x360-30.mp4"
    [[playlist.hall.item]]
    uri = "'$MEDIA'/h264-640x360-30-2s.mp4"
    """

  private func lines(_ run: Board.Run, with text: String) throws -> [Substring] {
    try run.text("log").split(separator: "\n").filter { $0.contains(text) }
  }

  @Test("One button plays a film once and leads back to the loop; bounce, a short and a long press are told apart")
  func button() async throws {
    let run = try await Board.run(
      Self.tools + """
        chip box BUTTON DOOR
        pull box 0 up; pull box 1 up
        play <<< '\(Self.lists)
        [[input.gpio]]
        line = "BUTTON"
        press = "clip hall"
        [[input.gpio]]
        chip = "gpiochip0"
        line = "1"
        press = "pause"
        release = "play"
        long_press = "mute"
        debounce = 0.05
        '
        press box 0; sleep 4
        # A contact that bounces for 100 ms counts once.
        for i in 1 2 3 4 5 6 7 8 9 10; do pull box 1 down; sleep 0.005; pull box 1 up; sleep 0.005; done
        sleep 1
        press box 1 0.2; sleep 1
        press box 1 2; sleep 1
        "$VITRINE" inputs --list --config /tmp/v.toml > /run/out/held
        ends
        sleep 1
        "$VITRINE" inputs --list --config /tmp/v.toml > /run/out/inputs
        """)
    let log = try run.text("log")
    #expect(try run.text("ended") == "0\n", "\(run.outcome.errors) \(log)")
    let loop = "h264-60s-640x360-30.mp4"
    #expect(try run.played() == [loop, "h264-640x360-30-2s.mp4", loop], "\(log)")
    #expect(log.contains("input: /dev/gpiochip0 'BUTTON'") && log.contains("'gpiochip0 line 1'"), "\(log)")
    // The bounce is shorter than the debounce; the short press pauses at its end, and the release plays.
    #expect(try lines(run, with: "playback: paused").count <= 1, "\(log)")
    let inputs = try run.text("inputs")
    #expect(inputs.contains("'BUTTON' (keys): press: clip hall"), "\(inputs)")
    #expect(inputs.contains("'gpiochip0 line 1' (keys): press: pause, release: play, long press: mute"), "\(inputs)")
    let held = try run.text("held")
    #expect(held.contains("the GPIO line is held by \"vitrine\""), "\(held)")
  }

  @Test("A line that doesn't exist, or that another program holds, is reported once; an expander comes and goes")
  func troubles() async throws {
    let run = try await Board.run(
      Self.tools + """
        chip box BUTTON
        pull box 0 up
        mkdir "$sims/box2" "$sims/box2/bank" "$sims/box2/bank/line0" "$sims/box2/bank/line0/hog"
        echo TAKEN > "$sims/box2/bank/line0/name"
        echo relay > "$sims/box2/bank/line0/hog/name"
        echo input > "$sims/box2/bank/line0/hog/direction"
        echo 1 > "$sims/box2/live"
        play <<< '\(Self.lists)
        [[input.gpio]]
        line = "LATER"
        press = "clip hall"
        [[input.gpio]]
        line = "TAKEN"
        press = "next"
        '
        sleep 12
        chip expander LATER
        pull expander 0 up
        sleep 8
        press expander 0; sleep 4
        unplug expander; sleep 8
        echo 1 > "$sims/expander/live"; pull expander 0 up; sleep 8
        press expander 0; sleep 4
        ends
        """)
    let log = try run.text("log")
    #expect(try run.text("ended") == "0\n", "\(run.outcome.errors) \(log)")
    let (loop, clip) = ("h264-60s-640x360-30.mp4", "h264-640x360-30-2s.mp4")
    #expect(try run.played() == [loop, clip, loop, clip, loop], "\(log)")
    // It is missing once more after it was unplugged; the log says each error once.
    #expect(try lines(run, with: "(error 6011)").count == 1, "\(log)")
    #expect(try lines(run, with: "a device was unplugged").count == 1, "\(log)")
    let held = try lines(run, with: "(error 6012)")
    #expect(held.count == 1 && held[0].contains("the GPIO line is held by \"relay\""), "\(log)")
  }

  @Test(
    "A cue closes a relay for its pulse, each round; a relay that wants a low level rests high")
  func relays() async throws {
    let run = try await Board.run(
      Self.tools + """
        chip box RELAY LOW
        # The resistor that holds such a relay open while no player runs.
        pull box 1 up
        level() { cat "/sys/devices/platform/$(cat "$sims/box/dev_name")/$(cat "$sims/box/bank/chip_name")/sim_gpio$1/value"; }
        play <<< 'version = 1
        [[playlist.main.item]]
        uri = "'$MEDIA'/h264-640x360-30-2s.mp4"
        [[cue]]
        on = "item-started"
        send = "gpio:RELAY"
        pulse = 0.5
        [[cue]]
        on = "time"
        at = 1
        send = "gpio:gpiochip0/1"
        active_low = true
        [[cue]]
        on = "time"
        at = 1.5
        send = "gpio:NOWHERE"
        '
        # Five seconds: two or three rounds.
        for i in $(seq 250); do echo "$(level 0) $(level 1)" >> /run/out/levels; sleep 0.02; done
        ends
        echo "$(level 0) $(level 1)" > /run/out/rest
        """)
    let levels = try run.text("levels").split(separator: "\n")
    let log = try run.text("log")
    func pulses(_ isActive: (Substring) -> Bool) -> [Int] {
      levels.split { !isActive($0) }.map(\.count)
    }
    let (closed, low) = (pulses { $0.hasPrefix("1") }, pulses { $0.hasSuffix("0") })
    #expect((2...3).contains(closed.count) && (2...3).contains(low.count), "\(closed) \(low) \(log)")
    // A look takes 20 ms and its own time. The first and the last pulse may be cut off.
    #expect(closed.contains { (10...26).contains($0) } && low.contains { (4...11).contains($0) }, "\(closed) \(low)")
    #expect(try run.text("rest") == "0 1\n", "\(log)")
    #expect(try lines(run, with: "(error 7640)").count == 1, "\(log)")
    #expect(try run.text("ended") == "0\n", "\(log)")
  }

  @Test("The service's user may take lines, by the package's group and rule")
  func service() async throws {
    let run = try await Board.run(
      BoardService.install("h264-60s-640x360-30.mp4")
        + BoardService.unit([
          "ExecStart=", "ExecStart=/usr/bin/vitrine run -v --output kms --no-audio --confirm-after 1",
        ])
        + BoardService.state + Self.tools + """
          cp "$PROJECT/deploy/package/debian/vitrine.sysusers" /usr/lib/sysusers.d/vitrine.conf
          systemd-sysusers vitrine.conf
          mkdir -p /run/udev/rules.d
          cp "$PROJECT/deploy/package/systemd/60-vitrine-gpio.rules" /run/udev/rules.d/
          udevadm control --reload
          chip box BUTTON
          pull box 0 up
          udevadm settle
          stat -c '%G %a' /dev/gpiochip0 > /run/out/mode
          install -m 644 "$MEDIA/h264-640x360-30-2s.mp4" /srv/media/
          cat >> /etc/vitrine/vitrine.toml <<'END'
          [[playlist.hall.item]]
          uri = "/srv/media/h264-640x360-30-2s.mp4"
          [[input.gpio]]
          line = "BUTTON"
          press = "clip hall"
          END
          systemctl daemon-reload; systemctl start vitrine
          confirmed
          press box 0; sleep 5
          systemctl stop vitrine
          """, isSystemd: true)
    let log = try run.text("log")
    #expect(try run.text("mode") == "gpio 660\n")
    let (loop, clip) = ("h264-60s-640x360-30.mp4", "h264-640x360-30-2s.mp4")
    #expect(try run.played() == [loop, clip, loop], "\(run.outcome.output) \(log)")
  }

  @Test("An item that is held keeps its last picture until a button releases it, each round")
  func hold() async throws {
    let run = try await Board.run(
      Self.tools + """
        chip box BUTTON
        pull box 0 up
        play <<< 'version = 1
        [[playlist.main.item]]
        uri = "'$MEDIA'/h264-640x360-30-2s.mp4"
        at_end = "hold"
        [[playlist.main.item]]
        uri = "'$MEDIA'/vp8-vorbis-320x240-25.webm"
        [[input.gpio]]
        line = "BUTTON"
        press = "release"
        '
        sleep 6; cp /run/out/log /run/out/first
        kms-screenshot /run/out/a.ppm; sleep 3; kms-screenshot /run/out/b.ppm
        press box 0; sleep 12; cp /run/out/log /run/out/second
        press box 0; sleep 1
        ends
        """)
    let log = try run.text("log")
    #expect(try run.text("ended") == "0\n", "\(run.outcome.errors) \(log)")
    let (held, next) = ("h264-640x360-30-2s.mp4", "vp8-vorbis-320x240-25.webm")
    #expect(try run.played(in: "first") == [held])
    let (a, b) = (
      try await Pixels(path: run.directory.path("a.ppm")), try await Pixels(path: run.directory.path("b.ppm"))
    )
    #expect(a.bytes == b.bytes && Set(a.bytes).count > 3, "the picture stays, and is one")
    #expect(try run.played(in: "second") == [held, next, held], "\(log)")
    #expect(try run.played() == [held, next, held, next], "\(log)")
  }

  @Test("A button chooses a film of the visitors' list that is the visit's last: the loop follows it")
  func lastOfVisit() async throws {
    let run = try await Board.run(
      Self.tools + """
        chip box BUTTON
        pull box 0 up
        play <<< 'version = 1
        [attract]
        visitors = "films"
        [[playlist.main.item]]
        uri = "'$MEDIA'/h264-60s-640x360-30.mp4"
        [[playlist.films.item]]
        uri = "'$MEDIA'/h264-640x360-30-2s.mp4"
        at_end = "attract"
        [[playlist.films.item]]
        uri = "'$MEDIA'/vp8-vorbis-320x240-25.webm"
        [[input.gpio]]
        line = "BUTTON"
        press = "select 1"
        '
        press box 0; sleep 6
        ends
        """)
    let log = try run.text("log")
    #expect(try run.text("ended") == "0\n", "\(run.outcome.errors) \(log)")
    let (loop, film) = ("h264-60s-640x360-30.mp4", "h264-640x360-30-2s.mp4")
    #expect(try run.played() == [loop, film, loop], "\(log)")
  }
}
