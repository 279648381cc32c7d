import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// The player on real KMS: planes, modes and frames of the kernel's own virtual driver.
@Suite(
  "On the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct BoardTests {
  @Test("The display's own tests pass on the board")
  func displayTests() async throws {
    let run = try await Board.run(
      """
      export VITRINE_ON_BOARD=1
      "$(dirname "$VITRINE")/vitrinePackageTests.xctest" --testing-library swift-testing --filter KMSBoardTests
      """)
    #expect(run.outcome.status == 0, "\(run.outcome.output)")
    #expect(run.outcome.output.contains("KMS on the virtual board") && !run.outcome.output.contains("with 0 tests"))
  }

  @Test("Video lies on an overlay plane below the player's overlay, as decoded, fitted by geometry (S4, P1, P2)")
  func planesAndPicture() async throws {
    let run = try await Board.run(
      """
      "$VITRINE" play --output kms --mode 800x600 --osd always --report /run/out/r.json \
        "$MEDIA/h264-aac-640x360-30.mp4" &
      sleep 1.5
      kms-planes > /run/out/planes
      kms-screenshot /run/out/shot.ppm
      wait $!
      """)
    #expect(run.outcome.status == 0, "\(run.outcome.errors)")
    let lit = try Board.planes(try run.text("planes")).filter(\.isLit)
    #expect(lit.map(\.type) == ["primary", "overlay", "overlay"])
    guard lit.count == 3 else { return }
    let (video, overlay) = (lit[1], lit[2])
    // 640x360 on 800x600 is 800x450: the plane itself has that size, no bars are in the frame.
    #expect(video.x == 0 && video.y == 75 && video.width == 800 && video.height == 450, "\(video)")
    #expect(overlay.order > video.order && overlay.format == "AR24")
    #expect(overlay.height < 200)

    let shot = try await Pixels(path: run.directory.path("shot.ppm"))
    let number = try #require(shot.frameNumber(x: 0, y: 75, width: 800))
    #expect((30...60).contains(number))
    #expect(shot.isNear(400, 30, (0, 0, 0), within: 2))
    // Compares the part without overlay with the frame as GStreamer decodes and converts it.
    let frame = try await Media.frame(number, of: "h264-aac-640x360-30.mp4", size: (800, 450))
    let part = shot.cropped(x: 0, y: 75, width: 800, height: 300)
    let difference = part.difference(from: frame.cropped(x: 0, y: 0, width: 800, height: 300))
    #expect(difference.mean < 2, "\(difference)")
    #expect(difference.worst <= 24 && difference.share > 0.5, "\(difference)")
  }

  @Test("In virtual time a 30 fps clip renders 120 frames and drops none, and the screen shows them all")
  func everyFrame() async throws {
    let run = try await Board.run(
      """
      # A picture first: checksums can be taken only of a screen that is lit.
      cat > /tmp/v.toml <<TOML
      version = 1
      [playback]
      loop = false
      [[playlist.main.item]]
      uri = "$MEDIA/picture-640x480.jpg"
      duration = 1
      [[playlist.main.item]]
      uri = "$MEDIA/h264-aac-640x360-30.mp4"
      TOML
      "$VITRINE" run --config /tmp/v.toml --output kms --mode 640x480 --osd never --report /run/out/r.json & player=$!
      sleep 0.5
      kms-crc -t 5 > /run/out/crc 2> /run/out/crc.log
      wait $player; echo $? > /run/out/status
      """)
    #expect(try run.text("status") == "0\n", "\(run.outcome.errors)")
    let report = try #require(try Report.read(run.directory.path("r.json")))
    #expect(report.framesRendered == 121)
    #expect(report.framesDropped == 0)
    #expect(report.stalls.isEmpty)
    // Every frame has its number in the picture, so each has a checksum of its own.
    let sums = try run.text("crc").split(separator: "\n").compactMap { $0.split(separator: " ").last }
    #expect(Set(sums).count >= 121, "\(Set(sums).count) different pictures")
  }

  @Test("The player leaves no plane lit after its end, SIGTERM or SIGKILL, and the next start works")
  func leavesNothing() async throws {
    let run = try await Board.run(
      """
      clip="$MEDIA/h264-640x360-30-2s.mp4"
      "$VITRINE" play --output kms --osd always "$clip"; echo "end $?" >> /run/out/codes
      kms-planes > /run/out/after-end
      for signal in TERM KILL; do
        "$VITRINE" play --output kms --loop --osd always "$clip" & player=$!
        sleep 3
        kms-planes > /run/out/during-$signal
        kill -$signal $player
        wait $player; echo "$signal $?" >> /run/out/codes
        sleep 0.2
        kms-planes > /run/out/after-$signal
      done
      "$VITRINE" play --output kms --report /run/out/r.json "$clip"; echo "again $?" >> /run/out/codes
      kms-planes > /run/out/after-again
      """)
    #expect(try run.text("codes") == "end 0\nTERM 0\nKILL 137\nagain 0\n", "\(run.outcome.errors)")
    for name in ["after-end", "after-TERM", "after-KILL", "after-again"] {
      #expect(try Board.planes(try run.text(name)).filter(\.isLit).isEmpty, "\(name)")
    }
    for name in ["during-TERM", "during-KILL"] {
      #expect(try Board.planes(try run.text(name)).filter(\.isLit).count == 3, "\(name)")
    }
    #expect(try Report.read(run.directory.path("r.json"))?.framesRendered == 60)
  }

  @Test("A deck that hangs is passed over for the next item, and SIGTERM ends the player within a second")
  func hangingDeck() async throws {
    let run = try await Board.run(
      """
      cp "$MEDIA/h264-640x360-30-2s.mp4" /tmp/x.mp4
      "$VITRINE" play --loop --output kms --report /run/out/r.json "$MEDIA/h264-640x360-30-2s.mp4" \
        "$MEDIA/vp8-vorbis-320x240-25.webm" /tmp/x.mp4 "$MEDIA/theora-vorbis-320x240-25.ogg" & player=$!
      sleep 1
      # Opening a pipe without a writer blocks for ever: the deck's state change never ends.
      rm /tmp/x.mp4; mkfifo /tmp/x.mp4
      sleep 14
      before=$(date +%s%N); kill -TERM $player; wait $player
      echo "$? $(( ($(date +%s%N) - before) / 1000000 ))" > /run/out/stop
      """)
    let stop = try run.text("stop").split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    #expect(stop.count == 2 && stop[0] == 0 && stop[1] < 1000, "\(stop) \(run.outcome.errors)")
    let report = try #require(try Report.read(run.directory.path("r.json")))
    #expect(report.items.map(\.status) == ["played", "played", "failed", "played"])
    // The hanging item isn't tried again while the screen waits and another item could play.
    #expect(report.decksAbandoned >= 1)
    #expect(report.stalls.first?.reason == "preparing")
  }

  @Test("A card in use by another program gives one line with the card and the holder, and exit code 69")
  func cardInUse() async throws {
    let run = try await Board.run(
      """
      kms-hold /dev/dri/card0 > /run/out/holder & sleep 0.5
      "$VITRINE" play --output kms --report /run/out/r.json "$MEDIA/h264-640x360-30-2s.mp4" 2> /run/out/errors
      echo $? > /run/out/status
      kill %1
      """)
    #expect(try run.text("status") == "69\n")
    let errors = try run.text("errors")
    let line = try #require(errors.split(separator: "\n").first { $0.contains("5002") }, "\(errors)")
    #expect(line.contains("/dev/dri/card0") && line.contains("kms-hold"), "\(line)")
    #expect(try Report.read(run.directory.path("r.json"))?.errors.first?.number == 5002)
  }

  @Test("run waits for a card in use, and takes over when it is free")
  func waitsForTheCard() async throws {
    let run = try await Board.run(
      """
      printf 'version = 1\\n[[playlist.main.item]]\\nuri = "%s"\\n' "$MEDIA/h264-640x360-30-2s.mp4" > /tmp/v.toml
      kms-hold /dev/dri/card0 > /run/out/holder & holder=$!
      sleep 0.5
      "$VITRINE" run --config /tmp/v.toml --output kms --for 4 --report /run/out/r.json 2> /run/out/errors & player=$!
      sleep 2.5
      kill $holder
      wait $player; echo $? > /run/out/status
      """)
    let errors = try run.text("errors")
    #expect(try run.text("status") == "0\n", "\(errors)")
    #expect(errors.contains("waiting for a screen"))
    let report = try #require(try Report.read(run.directory.path("r.json")))
    #expect(report.framesRendered > 60)
  }
}
