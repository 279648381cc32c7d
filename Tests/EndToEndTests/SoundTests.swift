import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// The player with a sound server of the test's own, whose output is recorded.
@Suite(
  "Sound, heard by a PulseAudio server", .serialized,
  .enabled(
    if: FileManager.default.isExecutableFile(atPath: "/usr/bin/pulseaudio"), "PulseAudio is not installed (make setup)")
)
struct SoundTests {
  /// Runs a bash script with its own sound server; gives the recorded sound as mono samples of 16 bits at 48 kHz.
  ///
  /// - Parameter sink: the recorded one of the two loudspeakers, `speaker` (the default) or `kitchen`.
  private func withServer(_ script: String, sink: String = "speaker") async throws -> (
    outcome: Tool.Outcome, samples: [Int16]
  ) {
    let directory = try TemporaryDirectory()
    let file = try directory.write(
      """
      set -u
      export XDG_RUNTIME_DIR='\(directory.url.path)/run' HOME='\(directory.url.path)'
      export PULSE_RUNTIME_PATH="$XDG_RUNTIME_DIR/pulse" PULSE_SERVER="unix:$XDG_RUNTIME_DIR/pulse/native"
      export WAYLAND_DISPLAY=vitrine-test-no-such-socket
      mkdir -p -m 700 "$XDG_RUNTIME_DIR"
      VITRINE='\(Player.path)'; OUT='\(directory.url.path)'
      MEDIA='\(URL(filePath: try await Media.path("text.mp4")).deletingLastPathComponent().path)'
      start() {
        pulseaudio -n --daemonize=no --exit-idle-time=-1 \\
        -L "module-native-protocol-unix socket=$XDG_RUNTIME_DIR/pulse/native" \\
        -L "module-null-sink sink_name=speaker rate=48000 channels=2 norewinds=1" \\
        -L "module-null-sink sink_name=kitchen rate=48000 channels=2 norewinds=1" 2>> "$OUT/server.log" & server=$!
        for _ in $(seq 50); do pactl info > /dev/null 2>&1 && break; sleep 0.1; done
      }
      start
      parec --latency-msec=20 -d \(sink).monitor --raw --format=s16le --rate=48000 --channels=1 > "$OUT/recording" & \
      recorder=$!
      sleep 2
      \(script)
      sleep 1
      kill $recorder $server; wait
      """, as: "script.sh")
    let outcome = try await Tool.run("bash", [file], limit: 180)
    let data = try Data(contentsOf: directory.url.appending(path: "recording"))
    let samples = data.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    return (outcome, samples)
  }

  /// The loudest sample in each tenth of a second.
  private func levels(_ samples: [Int16]) -> [Int] {
    stride(from: 0, to: samples.count - 4800, by: 4800).map { start in
      samples[start..<(start + 4800)].map { abs(Int($0)) }.max() ?? 0
    }
  }

  @Test("A clip's tone is heard for its length, without a break, in its pitch")
  func heard() async throws {
    let (outcome, samples) = try await withServer(
      """
      "$VITRINE" play --output headless "$MEDIA/h264-aac-640x360-30.mp4"
      """)
    #expect(!outcome.errors.contains("vitrine: error"), "\(outcome.errors)")
    let loud = levels(samples).map { $0 > 8000 }
    let first = try #require(loud.firstIndex(of: true), "nothing was heard")
    let last = try #require(loud.lastIndex(of: true))
    // Four seconds of tone; blocks may cut a tenth off at either end. A busy machine may drop a block or two, and a
    // sink with a wrong clock drops most of them.
    #expect((36...44).contains(last - first + 1), "\(last - first + 1) tenths of a second")
    #expect(loud[first...last].filter { !$0 }.count <= 2, "breaks in \(loud[first...last])")

    let middle = samples[((first + 10) * 4800)..<((first + 30) * 4800)]
    let crossings = zip(middle, middle.dropFirst()).filter { ($0 < 0) != ($1 < 0) }.count
    #expect(abs(Double(crossings) / 2 / 2 - 440) < 25, "\(crossings) zero crossings in 2 s")
  }

  @Test("A clip with sound loses no frame to the sound bridge", arguments: ["0", "-500", "500"])
  func noFrameLost(offset: String) async throws {
    let directory = try TemporaryDirectory()
    let report = directory.path("r.json")
    _ = try await withServer(
      """
      "$VITRINE" play --audio-offset \(offset) --output headless --report '\(report)' "$MEDIA/h264-aac-640x360-30.mp4"
      """)
    let read = try #require(try Report.read(report))
    #expect(read.framesRendered + read.framesDropped == 120)
    // A busy machine may lose a few frames; a deck that sends them too early loses dozens.
    #expect(read.framesDropped < 6, "\(read.framesDropped)")
  }

  @Test("--no-audio opens no device and is silent")
  func silent() async throws {
    let (_, samples) = try await withServer(
      """
      "$VITRINE" play --no-audio --output headless --for 1 "$MEDIA/h264-aac-640x360-30.mp4"
      """)
    #expect(!levels(samples).isEmpty)
    #expect(levels(samples).allSatisfy { $0 == 0 })
  }

  @Test(
    "--audio-device selects a sink by its name, by PulseAudio or through ALSA",
    arguments: ["pulse:kitchen", "alsa:pulse:kitchen"])
  func device(name: String) async throws {
    let (outcome, kitchen) = try await withServer(
      """
      "$VITRINE" play --verbose --audio-device '\(name)' --output headless --for 2 "$MEDIA/h264-aac-640x360-30.mp4"
      """, sink: "kitchen")
    #expect(outcome.errors.contains("sound: \(name)"), "\(outcome.errors)")
    let loud = levels(kitchen).filter { $0 > 8000 }.count
    #expect((15...25).contains(loud), "\(loud) tenths of a second")
  }

  @Test("A missing device is reported, and the film plays without sound")
  func noSuchDevice() async throws {
    let directory = try TemporaryDirectory()
    let report = directory.path("r.json")
    let (outcome, samples) = try await withServer(
      """
      "$VITRINE" play --audio-device pulse:cellar --output headless --report '\(report)' \
        "$MEDIA/h264-aac-640x360-30.mp4"
      """)
    #expect(outcome.errors.contains("pulse:cellar: the sound device can't be opened"), "\(outcome.errors)")
    let read = try #require(try Report.read(report))
    #expect(read.errors.map(\.number) == [5302])
    #expect(read.framesRendered + read.framesDropped == 120 && read.stalls.isEmpty)
    #expect(levels(samples).allSatisfy { $0 == 0 })
  }

  @Test("Another device in the configuration is used from the next item on, in the same output")
  func anotherDevice() async throws {
    let directory = try TemporaryDirectory()
    let report = directory.path("r.json")
    let (outcome, kitchen) = try await withServer(
      """
      mkdir "$OUT/etc"
      write() {
        printf 'version = 1\\naudio.device = "pulse:%s"\\n[[playlist.main.item]]\\nuri = "%s"\\n' \
          "$1" "$MEDIA/h264-aac-640x360-30.mp4" > "$OUT/new"; mv "$OUT/new" "$OUT/etc/vitrine.toml"
      }
      write speaker
      "$VITRINE" run --verbose --output headless --config "$OUT/etc" --report '\(report)' & player=$!
      sleep 2
      # In the middle of the first four seconds.
      write kitchen
      sleep 8
      kill $player; wait $player
      """, sink: "kitchen")
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.filter { $0.contains("output: headless") }.count == 1, "\(outcome.errors)")
    let devices = lines.filter { $0.contains(" sound: ") }.map { $0.split(separator: " ").last }
    #expect(devices == ["pulse:speaker", "pulse:kitchen"], "\(outcome.errors)")
    let read = try #require(try Report.read(report))
    #expect(read.transitionsTotal >= 1 && read.stalls.isEmpty && read.framesDropped < 6)
    // The new device plays from the second item on, about 4.5 s to 10 s; a change at once would give 7 s.
    let loud = levels(kitchen).filter { $0 > 8000 }.count
    #expect((40...62).contains(loud), "\(loud) tenths of a second")
  }

  /// Makes a film of three seconds with a tone of 440 Hz, and one of 880 Hz beside it.
  private static let besides = """
    film() { ffmpeg -v error -y -f lavfi -i color=gray:s=160x90:r=25:d=$1 -f lavfi -i "sine=440:d=$1:r=48000" \\
      -c:v libx264 -preset ultrafast -c:a aac -metadata:s:a:0 language=eng "$OUT/hall.mp4"
      ffmpeg -v error -y -f lavfi -i "sine=880:d=$1:r=48000" "$OUT/hall.ad.de.flac"; }
    """

  /// The pitches that are heard, in tenths of a second: in hertz, 0 for silence. By the usual length of a wave, because a
  /// busy machine drops blocks.
  private func pitches(_ samples: [Int16]) -> [Int] {
    stride(from: 0, to: samples.count - 4800, by: 4800).map { start in
      let rises = (start..<(start + 4799)).filter { samples[$0] < 0 && samples[$0 + 1] >= 0 }
      let waves = zip(rises, rises.dropFirst()).map { $1 - $0 }.sorted()
      return waves.count < 5 ? 0 : 48_000 / waves[waves.count / 2]
    }
  }

  @Test("Sound beside a film is heard in each of its rounds, without a break and without a moment of the film's own")
  func besideRounds() async throws {
    let (outcome, samples) = try await withServer(
      """
      \(Self.besides)
      film 3
      "$VITRINE" play --audio-language de --loop --for 11 --output headless "$OUT/hall.mp4"
      """)
    #expect(!outcome.errors.contains("vitrine: error"), "\(outcome.errors)")
    let heard = pitches(samples)
    let first = try #require(heard.firstIndex { $0 > 0 }, "nothing was heard")
    let last = try #require(heard.lastIndex { $0 > 0 })
    #expect(last - first >= 95, "\(heard)")
    // A description without another one in German is heard where German is preferred. A busy machine may drop a block.
    #expect(
      heard[first...last].filter { $0 == 0 }.count <= 3 && !heard.contains { (300...600).contains($0) }, "\(heard)")
  }

  @Test(
    "With a headset a visitor's description is heard there alone, also in the next round",
    arguments: ["speaker", "kitchen"]
  )
  func headset(sink: String) async throws {
    let (outcome, samples) = try await withServer(
      """
      \(Self.besides)
      film 5
      mkdir "$OUT/etc"
      printf 'version = 1\\n[audio]\\ndevice = "pulse:speaker"\\nheadset = "pulse:kitchen"\\n[control]\\nsocket = "%s"\\n' \
        "$OUT/control" > "$OUT/etc/vitrine.toml"
      printf '[[playlist.main.item]]\\nuri = "%s"\\n' "$OUT/hall.mp4" >> "$OUT/etc/vitrine.toml"
      "$VITRINE" run --verbose --output headless --config "$OUT/etc" & player=$!
      sleep 4
      "$VITRINE" ctl description on --socket "$OUT/control"
      sleep 6
      kill $player; wait $player
      """, sink: sink)
    #expect(outcome.errors.contains("headset: pulse:kitchen"), "\(outcome.errors)")
    let heard = pitches(samples)
    let usual = heard.filter { abs($0 - 440) <= 30 }.count
    let described = heard.filter { abs($0 - 880) <= 40 }.count
    if sink == "speaker" {
      #expect(usual > 60 && described == 0, "\(heard)")
    } else {
      // The film begins while the device is opened.
      #expect(usual > 10 && described > 40, "\(heard)")
      let begin = try #require(heard.firstIndex { abs($0 - 880) <= 40 })
      #expect(!heard[begin...].contains { abs($0 - 440) <= 30 }, "\(heard)")
    }
  }

  @Test("--volume 0.5 gives an eighth of the amplitude, and --mute gives silence")
  func volume() async throws {
    func loudest(_ options: String) async throws -> Int {
      let (_, samples) = try await withServer(
        """
        "$VITRINE" play \(options) --output headless --for 1.5 "$MEDIA/h264-aac-640x360-30.mp4"
        """)
      return levels(samples).max() ?? 0
    }
    let full = try await loudest("--volume 1")
    #expect(full > 8000)
    let half = try await loudest("--volume 0.5")
    #expect(abs(Double(half) / Double(full) - 0.125) < 0.01, "\(half) of \(full)")
    #expect(try await loudest("--mute") == 0)
  }

  @Test(
    "A key mutes and a drag lowers the volume, in a compositor",
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: "/usr/bin/weston"), "Weston is not installed (make setup)"))
  func visitor() async throws {
    let weston = Tool.root.appending(path: "Tests/Tools/weston/weston-headless").path
    let (outcome, samples) = try await withServer(
      """
      cat > "$OUT/drive.py" <<'END'
      import os, socket, time
      link = socket.socket(socket.AF_UNIX); link.connect(os.environ["WESTON_INJECT_SOCKET"])
      answers = link.makefile("r")
      def send(line):
          link.sendall((line + "\\n").encode()); assert answers.readline().startswith("ok"), line
      def key(code): send(f"key {code} 1"); send(f"key {code} 0")
      time.sleep(2)
      key(113); time.sleep(1.5)      # KEY_MUTE
      key(113); time.sleep(1.5)
      for step in range(28):         # half of six tenths of 720 down, more slowly than a flick
          send(f"touch {'move' if step else 'down'} 0 640 {200 + 8 * step}"); send("touch frame"); time.sleep(0.02)
      send("touch up 0"); time.sleep(2)
      END
      cat > "$OUT/client" <<END
      "$VITRINE" play -v --output wayland --loop "$MEDIA/h264-aac-640x360-30.mp4" 2> "$OUT/log" & player=\\$!
      until grep -q 'item 1:' "$OUT/log"; do sleep 0.1; done
      python3 "$OUT/drive.py"; kill \\$player; wait
      END
      '\(weston)' "$OUT/weston" -- bash "$OUT/client" 1>&2; cat "$OUT/log" >&2
      """)
    // Loud, silent, loud, then an eighth, for a second each at least.
    let steps = levels(samples).map { $0 > 8000 ? "L" : $0 == 0 ? "0" : $0 > 500 ? "q" : "-" }.joined()
    let wanted = /L{10}.*0{8}.*L{10}.*q{8}/
    #expect(steps.contains(wanted), "\(steps) \(outcome.errors.suffix(2000))")
  }

  @Test(
    "Contradictory sound options are refused",
    arguments: [
      ["--volume", "2"], ["--volume", "loud"], ["--audio-device", "jack"], ["--audio-offset", "1500"],
      ["--audio-offset", "soon"],
    ])
  func refused(option: [String]) async throws {
    let outcome = try await Tool.run(Player.path, ["play"] + option + ["nothing.mp4"])
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("'\(option[1])' is not"), "\(outcome.errors)")
  }

  @Test("vitrine sounds lists devices by names that --audio-device takes")
  func list() async throws {
    let (outcome, _) = try await withServer(
      """
      "$VITRINE" sounds
      """)
    let names = outcome.output.split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(names.contains("pulse:speaker") && names.contains("pulse:kitchen"), "\(outcome.output)")
    #expect(names.allSatisfy { SoundDevice($0) != nil })
  }

  @Test("Sound comes back when its server does, and the report counts one failure")
  func serverComesBack() async throws {
    let directory = try TemporaryDirectory()
    let report = directory.path("r.json")
    let (_, samples) = try await withServer(
      """
      "$VITRINE" play --loop --for 6 --output headless --report '\(report)' "$MEDIA/h264-aac-640x360-30.mp4" & player=$!
      sleep 1.5; kill -KILL $server $recorder; wait $server $recorder
      start; parec --latency-msec=20 -d speaker.monitor --raw --format=s16le --rate=48000 --channels=1 \
        > "$OUT/recording" & recorder=$!
      wait $player
      """)
    let read = try #require(try Report.read(report))
    #expect(read.errors.map(\.number) == [5301])
    #expect(read.framesRendered >= 175 && read.framesDropped == 0, "\(read.framesRendered)")
    #expect(read.stalls.isEmpty, "\(read.stalls)")
    let loud = levels(samples).filter { $0 > 8000 }.count
    #expect(loud > 15, "\(loud) tenths of a second after the server was back")
  }

  @Test("A sound server that dies doesn't stop the picture")
  func serverDies() async throws {
    let directory = try TemporaryDirectory()
    let report = directory.path("r.json")
    _ = try await withServer(
      """
      "$VITRINE" play --output headless --report '\(report)' "$MEDIA/h264-aac-640x360-30.mp4" & player=$!
      sleep 1.5; kill -KILL $server
      wait $player
      """)
    let read = try #require(try Report.read(report))
    #expect(read.framesRendered + read.framesDropped == 120)
    #expect(read.items.first?.status == "played")
    #expect(read.stalls.isEmpty, "\(read.stalls)")
    #expect(read.errors.map(\.number) == [5301])
  }
}
