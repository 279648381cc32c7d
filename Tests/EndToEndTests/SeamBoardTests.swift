import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// Nothing may be seen between two items. Short runs of `make test-seams`, which takes a thousand seams.
@Suite(
  "Seams, on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct SeamBoardTests {
  @Test(
    "Seams have no gap beyond a frame, no dropped frame, no bare background and no drift (P5)",
    arguments: Board.cases(usual: 2, ["mixed", "broken", "loop", "remote"]))
  func plane(list: String) async throws {
    try await TestTool.expectPass("soak", ["--list", list, "--transitions", "8", "--checksums", "all"], limit: 240)
  }

  @Test(
    "Picture and sound keep their offset after a seam, after silence and after a picture")
  func offset() async throws {
    let run = try await Board.run(
      """
      # The clock of the board begins at zero, and a first deck begins before it is built.
      sleep 1
      printf 'version = 1\\n' > /tmp/list.toml
      for item in beeps-320x240-25.mov h264-640x360-30-2s.mp4 beeps-320x240-25.mov picture-640x480.jpg \\
          beeps-320x240-25.mov; do
        printf '[[playlist.main.item]]\\nuri = "%s"\\n' "$MEDIA/$item" >> /tmp/list.toml
        case $item in *.jpg) echo 'duration = 1' >> /tmp/list.toml ;; esac
      done
      gst-launch-1.0 -q alsasrc device=hw:Loopback,1 provide-clock=false \\
        ! audio/x-raw,format=S16LE,rate=48000,channels=1 ! filesink location=/run/out/sound & recorder=$!
      "$VITRINE" run --config /tmp/list.toml --output kms --mode 640x480 --osd never --for 15.5 \\
        --audio-device alsa:hw:Loopback,0 --report /run/out/r.json
      kill $recorder; wait
      """)
    #expect(run.outcome.status == 0 || run.outcome.status == 143, "\(run.outcome.errors)")
    let report = try #require(try Report.read(run.directory.path("r.json")))
    #expect(report.framesDropped == 0)
    let data = try Data(contentsOf: run.directory.url.appending(path: "sound"))
    let beeps = data.withUnsafeBytes { bytes in
      // The start of each sound after at least 0.3 s of silence, in seconds.
      var starts: [Double] = []
      var last = Int.min / 2
      for (index, sample) in bytes.bindMemory(to: Int16.self).enumerated() where abs(Int(sample)) > 3000 {
        if index - last > 14_400 { starts.append(Double(index) / 48_000) }
        last = index
      }
      return starts
    }
    // Takes the middle one of three beeps in each item; those at the ends may be cut or joined.
    let middles = beeps.filter { beep in
      beeps.contains { abs($0 - beep + 1) < 0.03 } && beeps.contains { abs($0 - beep - 1) < 0.03 }
    }
    // The device's clock is only known after two seconds (decision 0011).
    let first = try #require(middles.first { $0 > 2 }, "\(beeps)")
    // Items 1, 3 and 5 begin at 0, 6 and 11 s.
    for (start, seam) in [(6.0, 1), (11.0, 3)] {
      #expect(middles.contains { abs($0 - first - start) < 0.002 }, "\(start): \(middles)")
      // The picture is shown with the next refresh, 60 times a second.
      let shown = report.transitions[seam].atSeconds - report.transitions[0].atSeconds
      #expect(abs(shown - (start - 4)) < 0.018, "\(start): \(shown)")
    }
  }

  @Test("A seam is right after sound that ends before the picture, a little after it, or long after it")
  func soundEnds() async throws {
    let run = try await Board.run(
      """
      sleep 1
      # NAME BLOCKS: 50 frames, 2 s; so many blocks of 20 ms of sound.
      clip() {
        gst-launch-1.0 -q matroskamux name=mux ! filesink location="/tmp/$1.mkv" \\
          videotestsrc num-buffers=50 ! video/x-raw,width=320,height=240,framerate=25/1 ! jpegenc ! queue ! mux. \\
          audiotestsrc num-buffers=$2 samplesperbuffer=960 ! audio/x-raw,rate=48000,channels=1 ! queue \\
          max-size-time=0 ! mux.
      }
      clip short 50; clip tail 110; clip long 150
      "$VITRINE" play --output kms --mode 640x480 --osd never --audio-device alsa:hw:Loopback,0 \\
        --report /run/out/r.json /tmp/short.mkv /tmp/tail.mkv /tmp/long.mkv /tmp/short.mkv
      """)
    #expect(run.outcome.status == 0, "\(run.outcome.errors)")
    let report = try #require(try Report.read(run.directory.path("r.json")))
    #expect(report.framesDropped == 0 && report.framesRendered == 200)
    let at = report.transitions.map(\.atSeconds)
    try #require(at.count == 3)
    #expect(abs(at[1] - at[0] - 2) < 0.018, "a tail of 0.2 s is cut: \(at)")
    #expect(abs(at[2] - at[1] - 3) < 0.018, "a second of sound after the picture is heard: \(at)")
    #expect(report.gapsMilliseconds.dropLast().allSatisfy { $0 < 40 }, "\(report.gapsMilliseconds)")
  }

  @Test(
    "Seams hold at other speeds than 1, pictures keep their time, and no frame is left out (S18)")
  func otherRates() async throws {
    let run = try await Board.run(
      """
      cd "$MEDIA"
      for rate in 0.5 1.5; do
        "$VITRINE" play --output kms --mode 640x480 --osd never --audio-device alsa:hw:Loopback,0 --rate $rate \
          --report /run/out/$rate.json \\
          h264-aac-640x360-30.mp4 vp8-vorbis-320x240-25.webm picture-640x480.jpg beeps-320x240-25.mov || exit 1
      done
      """)
    #expect(run.outcome.status == 0, "\(run.outcome.errors)")
    for rate in [0.5, 1.5] {
      let report = try #require(try Report.read(run.directory.path("\(rate).json")))
      #expect(report.framesDropped == 0 && report.framesRendered == 120 + 75 + 1 + 100, "\(report.framesRendered)")
      #expect(report.gapSummary.longerThanFrame == 0 && report.stalls.isEmpty, "\(report.gapsMilliseconds)")
      let at = report.transitions.map(\.atSeconds)
      try #require(at.count == 3)
      // 3 s of film, and then the picture. Each is shown with a refresh, 60 times a second.
      #expect(abs(at[1] - at[0] - 3 / rate) < 0.034, "\(at)")
      #expect(abs(at[2] - at[1] - 10) < 0.034, "\(at)")
    }
  }

  @Test("With a decoder of one stream, each film opens after the one before is closed, and all its frames show (0056)")
  func oneStream() async throws {
    let run = try await Board.run(
      """
      mkdir /tmp/boards; printf 'version = 1\n[decoder]\none-stream = true\n' > /tmp/boards/10-narrow.toml
      cd "$MEDIA"
      VITRINE_BOARD=narrow VITRINE_BOARD_DIR=/tmp/boards "$VITRINE" play -v --output kms --mode 640x480 --osd never \
        --no-audio --report /run/out/r.json h264-640x360-30-2s.mp4 vp8-vorbis-320x240-25.webm text.mp4 \
        picture-640x480.jpg h264-640x360-30-2s.mp4 2> /run/out/log
      """)
    let log = try run.text("log")
    #expect(run.outcome.status == 0 && log.contains("board: narrow"), "\(log)")
    let report = try #require(try Report.read(run.directory.path("r.json")))
    #expect(report.framesDropped == 0 && report.framesRendered == 60 + 75 + 1 + 60, "\(report.framesRendered)")
    #expect(report.transitionsTotal == 3 && report.stalls.isEmpty, "\(report.stalls)")
  }
}
