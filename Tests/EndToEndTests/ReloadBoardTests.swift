import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// Changes of the configuration, checked by the checksum of every composed picture, in virtual time.
@Suite(
  "Changes of the configuration on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct ReloadBoardTests {
  /// Shell functions: a player with the files in /tmp/etc, changes of them, and waits for the player's state.
  private static let tools = """
    export STATE_DIRECTORY=/run/state RUNTIME_DIRECTORY=/run/vitrine
    mkdir -p /tmp/etc/conf.d
    item() { printf '[[playlist.main.item]]\\nuri = "%s"\\n' "$@"; }
    write() { cat > /tmp/etc/new && mv /tmp/etc/new "/tmp/etc/$1"; }
    start() {
      rm -rf /run/state /run/vitrine
      "$VITRINE" run --config /tmp/etc --no-audio --output kms --mode 640x480 --osd never "$@" \\
        2> /run/out/log & player=$!
    }
    told() { sed -n 's/^  "state": "\\(.*\\)",$/\\1/p' /run/vitrine/configuration.json 2> /dev/null; }
    # Within so many tenths of a second, as the board counts them.
    await() {
      for tenth in $(seq "$2"); do
        [ "$(told)" != "$1" ] || { echo "$1" >> /run/out/states; return 0; }
        sleep 0.1
      done
      echo "not $1 but $(told)" >> /run/out/states
    }
    stop() { kill -TERM $player; wait $player; echo $? > /run/out/status; }

    """

  /// The checksums with the number of times each came in a row.
  private func pictures(_ run: Board.Run, _ name: String) throws -> [(sum: Substring, count: Int)] {
    var pictures: [(sum: Substring, count: Int)] = []
    for sum in try run.text(name).split(separator: "\n").compactMap({ $0.split(separator: " ").last }) {
      if pictures.last?.sum == sum {
        pictures[pictures.count - 1].count += 1
      } else {
        pictures.append((sum, 1))
      }
    }
    return pictures
  }

  @Test("A reload during a film drops no frame, and the screen shows the same pictures as without one")
  func noFrameDropped() async throws {
    let run = try await Board.run(
      Self.tools + """
        film="$MEDIA/h264-60s-640x360-30.mp4"
        play() {
          { echo 'version = 1'; item "$MEDIA/picture-640x480.jpg"; echo 'duration = 1'; item "$film"; } | write vitrine.toml
          rm -f /tmp/etc/conf.d/*
          start --confirm-after 1 --for 14 --report "/run/out/$1.json"
          sleep 0.5; kms-crc -t 12 > "/run/out/$1.crc" 2> "/run/out/$1.crc.log" &
          await confirmed 50
        }
        play still
        wait $player
        play changed
        echo 'playback.picture_duration = 3' | write conf.d/10-setting.toml
        await candidate 20; await confirmed 30
        { item "$MEDIA/vp8-vorbis-320x240-25.webm"; item "$film"; echo 'title = "Another"'; } | write conf.d/20-list.toml
        await candidate 20; await confirmed 30
        echo 'playback.lop = true' | write conf.d/30-bad.toml
        await refused 20
        rm /tmp/etc/conf.d/*
        await candidate 20; await confirmed 30
        kill -HUP $player
        wait $player; echo $? > /run/out/status
        """)
    let log = try run.text("log")
    #expect(try run.text("status") == "0\n", "\(log)")
    let expected = "confirmed confirmed candidate confirmed candidate confirmed refused candidate confirmed"
    #expect(try run.text("states").split(separator: "\n").joined(separator: " ") == expected)
    for name in ["still", "changed"] {
      let report = try #require(try Report.read(run.directory.path("\(name).json")))
      #expect(report.framesDropped == 0 && report.stalls.isEmpty)
      // The picture, then the film without an interruption.
      #expect(report.transitionsTotal == 1)
    }
    let (still, changed) = (try pictures(run, "still.crc"), try pictures(run, "changed.crc"))
    // From the film's first frame on; the end of the recording may cut the last one off.
    let length = min(still.count, changed.count) - 1
    #expect(length > 300, "\(still.count), \(changed.count)")
    #expect(still[1..<length].map(\.sum) == changed[1..<length].map(\.sum))
    // 30 frames a second on 60 refreshes, each frame with its number.
    #expect(Set(changed[1..<length].map(\.sum)).count == length - 1)
    // The screen has 59.94 Hz, so every 17 s a frame lasts one refresh less.
    for pictures in [still, changed] {
      let counts = pictures[1..<length].map(\.count)
      #expect(counts.allSatisfy { 1...2 ~= $0 } && counts.count { $0 == 1 } <= 1, "\(counts)")
    }
  }

  @Test(
    "A list that doesn't play is refused or rolled back, and the screen shows only frames of the film",
    .long)
  func pictureStays() async throws {
    let run = try await Board.run(
      Self.tools + """
        film="$MEDIA/h264-640x360-30-2s.mp4"
        # An address where nobody answers has nothing to show.
        "$VITRINE" play --output kms --mode 640x480 --osd never --loop --for 3 http://127.0.0.1:9/none.mp4 & empty=$!
        sleep 1.5; kms-crc -t 0.5 > /run/out/background.crc; wait $empty || true
        # Takes connections and says nothing.
        python3 -c 'import socket, time; s = socket.create_server(("127.0.0.1", 8001)); time.sleep(1000)' & silent=$!

        { echo 'version = 1'; item "$film"; } | write vitrine.toml
        # Five seconds of good frames within thirty.
        start --confirm-after 5
        sleep 1; kms-crc -t 2.5 > /run/out/film.crc
        await confirmed 100
        kms-crc -t 200 > /run/out/changes.crc & sums=$!
        item "$MEDIA/text.mp4" "$film" | write conf.d/50-change.toml; await refused 100
        item http://127.0.0.1:9/none.mp4 | write conf.d/50-change.toml; await candidate 100; await rolled-back 400
        item http://127.0.0.1:8001/never.mp4 | write conf.d/50-change.toml; await candidate 100; await rolled-back 400
        # There when it is checked and gone when it comes round: the only one so far whose frames were good.
        cp "$film" /tmp/gone.mp4
        item /tmp/gone.mp4 | write conf.d/50-change.toml; await candidate 100
        rm /tmp/gone.mp4
        kill -TERM $sums; wait $sums
        kms-crc -t 8 > /run/out/cut.crc & sums=$!
        await rolled-back 100
        wait $sums
        kill $silent; stop
        """, limit: 300)
    #expect(try run.text("status") == "0\n", "\(run.outcome.errors)")
    let log = try run.text("log")
    let expected = "confirmed refused candidate rolled-back candidate rolled-back candidate rolled-back"
    #expect(try run.text("states").split(separator: "\n").joined(separator: " ") == expected, "\(log)")
    let background = Set(try pictures(run, "background.crc").map(\.sum))
    #expect(background.count == 1)
    let film = Set(try pictures(run, "film.crc").map(\.sum))
    #expect(film.count == 60 && film.isDisjoint(with: background))
    let changes = try pictures(run, "changes.crc")
    #expect(changes.reduce(0) { $0 + $1.count } > 25 * 60)
    #expect(Set(changes.map(\.sum)).subtracting(film).isEmpty)
    // The other film, then the first one again, and no other picture.
    let cut = try pictures(run, "cut.crc")
    #expect(background.isDisjoint(with: cut.map(\.sum)) && cut.last.map { film.contains($0.sum) } == true)
  }

  @Test(
    "A missing screen is rolled back at once; a present one is taken at the next item")
  func wrongScreen() async throws {
    let run = try await Board.run(
      Self.tools + """
        { printf 'version = 1\\ndisplay.output = "kms"\\n'; item "$MEDIA/h264-640x360-30-2s.mp4"; } | write vitrine.toml
        # Output and mode are the files'.
        start_by_files() {
          "$VITRINE" run --config /tmp/etc --no-audio --osd never --confirm-after 4 \\
            --report /run/out/report.json 2>> /run/out/log & player=$!
        }
        rm -rf /run/state /run/vitrine
        start_by_files
        await confirmed 200
        for wrong in 'connector = "HDMI-A-9"' 'output = "wayland"'; do
          printf '[display]\\n%s\\n' "$wrong" | write conf.d/50-change.toml
          await candidate 30; await rolled-back 100
          sleep 1; kms-screenshot "/run/out/shot-$(grep -c rolled /run/out/states).ppm"
        done
        # The same after a restart: known to be bad, by what is kept.
        kill -KILL $player; wait $player; start_by_files
        sleep 2; await rolled-back 100; kms-screenshot /run/out/shot-3.ppm
        # Another mode that the screen has is taken at the next item, and confirmed there.
        printf '[display]\\nmode = "800x600"\\n' | write conf.d/50-change.toml
        await candidate 30; await confirmed 200; kms-screenshot /run/out/shot-4.ppm
        stop
        """)
    let log = try run.text("log")
    #expect(try run.text("status") == "0\n", "\(log)")
    let expected =
      "confirmed candidate rolled-back candidate rolled-back rolled-back candidate confirmed"
    #expect(try run.text("states").split(separator: "\n").joined(separator: " ") == expected, "\(log)")
    let first = try await Pixels(path: run.directory.path("shot-1.ppm"))
    for shot in 1...3 {
      let picture = try await Pixels(path: run.directory.path("shot-\(shot).ppm"))
      #expect(picture.width == first.width && picture.height == first.height && picture.width != 800)
    }
    let last = try await Pixels(path: run.directory.path("shot-4.ppm"))
    #expect(last.width == 800 && last.height == 600)
    // All frames of the last item on the old screen and of the first on the new one were shown.
    let report = try #require(try Report.read(run.directory.path("report.json")))
    #expect(report.framesDropped == 0 && report.framesRendered > 60)
  }

  @Test(
    "Forty changes of all kinds leak no memory, descriptor or thread",
    .long)
  func many() async throws {
    try await TestTool.expectPass("reload-soak", ["--reloads", "40"], limit: 400)
  }
}
