import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// The kernel's own decoders, whose frames go to the plane without a copy, and software decoders beside them.
@Suite(
  "Decoders on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct DecoderBoardTests {
  /// `play` plays on a scaling plane and keeps the requests to the card.
  private static let tools = """
    export GST_DEBUG=GST_PERFORMANCE:6 GST_DEBUG_NO_COLOR=1 SCALING_CARD_LOG=/run/out/card
    play() { # ITEMS and options
      LD_PRELOAD=$SCALING_CARD "$VITRINE" play -v --output kms --no-audio --osd never --report /run/out/r.json "$@" \\
        > /run/out/log 2>&1 & player=$!
      sleep 1; grep -hE 'format=|imported=' /sys/kernel/debug/dri/0/state > /run/out/state
      wait $player; echo $? > /run/out/status
    }

    """

  private struct Outcome {
    var report: PlaybackReport
    var card: CardLog
    var log: String
    var state: String

    init(_ run: Board.Run) throws {
      log = try run.text("log")
      let problems = log.split(separator: "\n").filter { $0.contains("error") }.joined(separator: "\n")
      #expect(try run.text("status") == "0\n", "\(run.outcome.errors) \(problems)")
      report = try #require(try Report.read(run.directory.path("r.json")))
      card = try CardLog(try run.text("card"))
      state = try run.text("state")
    }

    func count(_ text: String) -> Int { log.components(separatedBy: text).count - 1 }
  }

  private static let hardware = [
    ("h264-640x480.mp4", "v4l2slh264dec"), ("hevc-640x480.mp4", "v4l2slh265dec"), ("vp9-640x480.webm", "v4l2slvp9dec"),
  ]

  @Test(
    "A stateless decoder's frames are shown without a copy, and each buffer becomes a framebuffer once",
    .enabled(if: Board.mediaMissing == nil, "\(Board.mediaMissing ?? "")"), arguments: hardware)
  func untouched(clip: String, decoder: String) async throws {
    let run = try await Board.run(Self.tools + "play --mode 640x480 \"$DECODER_MEDIA/\(clip)\"", hasMedia: true)
    let outcome = try Outcome(run)
    #expect(outcome.report.framesRendered == 60 && outcome.report.framesDropped == 0)
    #expect(outcome.report.items.first?.decoder == decoder)
    #expect(outcome.report.items.first?.framePath == "untouched" && outcome.report.items.first?.framesCopied == nil)
    #expect(outcome.state.contains("format=NV12") && outcome.state.contains("imported=yes"), "\(outcome.state)")
    #expect(outcome.count("frame copy") == 0)
    // All 60 frames come from one pool: the decoder's buffers and those held behind it. Some framebuffers are for tests
    // and backgrounds.
    #expect(outcome.card.added <= 30, "\(outcome.card.added)")
    #expect(outcome.card.removedWhilePlaying <= 2, "\(outcome.card.removedWhilePlaying)")
    #expect(outcome.card.ways == ["0,0,640,480 to 0,0,640,480"])
  }

  @Test(
    "A converter behind the decoder copies each frame, and the log and the report say so",
    .enabled(if: Board.mediaMissing == nil, "\(Board.mediaMissing ?? "")"))
  func negativeControl() async throws {
    let run = try await Board.run(
      Self.tools + "play --rotation 90 \"$DECODER_MEDIA/h264-640x480.mp4\"", hasMedia: true)
    let outcome = try Outcome(run)
    #expect(outcome.report.items.first?.framePath == "converted" && outcome.report.items.first?.framesCopied == 60)
    #expect(outcome.count("v4l2slh264dec decodes, each frame is") == 1)
    #expect(outcome.count("frame copy") >= 60)
    #expect(outcome.state.contains("imported=no"), "\(outcome.state)")
  }

  @Test(
    "A profile may have a stateless decoder's frames copied, and that is reported",
    .enabled(if: Board.mediaMissing == nil, "\(Board.mediaMissing ?? "")"))
  func copies() async throws {
    let run = try await Board.run(
      Self.tools + """
        mkdir /tmp/board
        printf 'version = 1\\n[match]\\ndriver = ["none"]\\n[decoder]\\nmemory = "copy"\\n' > /tmp/board/10-copies.toml
        export VITRINE_BOARD_DIR=/tmp/board VITRINE_BOARD=copies
        play --mode 640x480 "$DECODER_MEDIA/h264-640x480.mp4"
        """, hasMedia: true)
    let outcome = try Outcome(run)
    #expect(outcome.report.framesRendered == 60 && outcome.report.items.first?.framePath == "copied")
    #expect(outcome.report.items.first?.framesCopied == 60)
    #expect(outcome.count("v4l2slh264dec decodes, each frame is copied") == 1)
    #expect(outcome.state.contains("imported=no"), "\(outcome.state)")
  }

  @Test(
    "Frames decoded in software return to their pool, and each has one framebuffer",
    arguments: ["h264-1280x720.mp4", "h264-640x480.mp4", "hevc-640x480.mp4"])
  func software(clip: String) async throws {
    let outcome = try Outcome(try await Board.run(Self.tools + "play \"$DECODER_MEDIA/\(clip)\""))
    #expect(outcome.report.framesRendered == 60)
    #expect(outcome.report.items.first?.framePath == "untouched")
    #expect(outcome.count("memory not writable") == 0)
    #expect(outcome.card.added <= 8, "\(outcome.card.added)")
    // Removed framebuffers of test commits and backgrounds.
    #expect(outcome.card.removedWhilePlaying <= (GStreamerHere.isNewer ? 4 : 3), "\(outcome.card.removedWhilePlaying)")
  }

  @Test(
    "Films in hardware and software and pictures alternate, and no frame is copied needlessly",
    .enabled(if: Board.mediaMissing == nil, "\(Board.mediaMissing ?? "")"))
  func mixed() async throws {
    let run = try await Board.run(
      Self.tools + """
        play --loop --for 15 "$DECODER_MEDIA/h264-640x480.mp4" "$MEDIA/vp8-vorbis-320x240-25.webm" \\
          "$DECODER_MEDIA/hevc-640x480.mp4" "$DECODER_MEDIA/vp9-640x480.webm"
        """, hasMedia: true)
    let outcome = try Outcome(run)
    #expect(outcome.report.transitionsTotal >= 5)
    #expect(outcome.report.framesDropped == 0)
    #expect(outcome.report.gapSummary.longerThanFrame == 0, "\(outcome.report.gapsMilliseconds)")
    #expect(outcome.report.items.map(\.status).allSatisfy { $0 == "played" })
  }

  @Test(
    "A decoder silent for 2 s is reopened once, then replaced by software for all items, with one warning",
    .enabled(if: Board.mediaMissing == nil, "\(Board.mediaMissing ?? "")"))
  func ladder() async throws {
    // Each picture takes 2.5 s.
    let run = try await Board.run(
      Self.tools + "play \"$DECODER_MEDIA/h264-640x480.mp4\" \"$DECODER_MEDIA/h264-1280x720.mp4\"",
      kernelArguments: ["visl.visl_transtime_ms=2500"], hasMedia: true)
    let outcome = try Outcome(run)
    #expect(outcome.count("the board's decoder gives no picture (v4l2slh264dec)") == 1, "\(outcome.log)")
    #expect(outcome.report.items.map(\.decoder) == ["avdec_h264", "avdec_h264"])
    #expect(outcome.report.items.map(\.framesRendered) == [60, 60])
    #expect(outcome.report.items.map(\.status) == ["played", "played"])
  }

  @Test(
    "A slow decoder that isn't silent stays in use",
    .enabled(if: Board.mediaMissing == nil, "\(Board.mediaMissing ?? "")"))
  func slow() async throws {
    let run = try await Board.run(
      Self.tools + "play \"$DECODER_MEDIA/h264-640x480.mp4\"", kernelArguments: ["visl.visl_transtime_ms=40"],
      hasMedia: true)
    let outcome = try Outcome(run)
    #expect(outcome.report.items.first?.decoder == "v4l2slh264dec" && outcome.report.items.first?.status == "played")
    #expect(outcome.count("gives no picture") == 0)
    // 60 frames need 2.4 s. All decoded frames are shown, except those that come faster than the screen.
    #expect(outcome.report.framesRendered >= 50, "\(outcome.report.framesRendered)")
  }

  /// Makes clips for vicodec; `check` runs tests that use them.
  private static let statefulTools = """
    export VITRINE_FWHT=/tmp/fwht
    mkdir $VITRINE_FWHT
    encode() { # NAME WIDTH HEIGHT
      ffmpeg -y -nostdin -loglevel error -f lavfi -i "testsrc2=size=$2x$3:rate=30" -frames:v 60 -pix_fmt yuv420p \\
        -f rawvideo /tmp/raw
      v4l2-ctl -d /dev/video0 --set-fmt-video-out "width=$2,height=$3,pixelformat=YU12" \\
        --stream-mmap --stream-out-mmap --stream-from /tmp/raw --stream-to "$VITRINE_FWHT/$1" > /run/out/encoder 2>&1
    }
    encode large 640 480; encode other 960 480
    check() { # FILTER, and a command before it
      local filter=$1
      shift
      "$@" "$(dirname "$VITRINE")/vitrinePackageTests.xctest" --testing-library swift-testing \\
        --filter "StatefulDecoderTests/$filter"
    }

    """

  @Test(
    "A stateful decoder (vicodec) is flushed, drained, resized and dropped",
    .enabled(if: Board.mediaMissing == nil, "\(Board.mediaMissing ?? "")"))
  func stateful() async throws {
    let run = try await Board.run(
      Self.statefulTools + "ls -l $VITRINE_FWHT > /run/out/files; check '(end|flush|sourceChange|drops)'",
      hasMedia: true)
    let files = try run.text("files")
    #expect(run.outcome.status == 0, "\(run.outcome.output) \(files) \(run.outcome.errors)")
    #expect(run.outcome.output.contains("4 tests"), "\(run.outcome.output)")
  }

  struct StatefulCase: CustomTestStringConvertible, Sendable {
    /// The name of its test in StatefulDecoderTests.
    var name: String
    var environment = ""
    /// The number of framebuffers made from dmabufs.
    var framebuffers: ClosedRange<Int>
    var testDescription: String { "\(name) \(environment)" }
  }

  @Test(
    "A stateful decoder's frames go to the plane as they are, and each buffer becomes a framebuffer once",
    .enabled(if: Board.mediaMissing == nil, "\(Board.mediaMissing ?? "")"),
    arguments: [
      StatefulCase(name: "planeUntouched", framebuffers: 1...16),
      // CREATE_BUFS fails, so that no buffer can be added later.
      StatefulCase(name: "planeUntouched", environment: "FAULTY_DECODER_CREATE=no", framebuffers: 1...16),
      // The smallest pool without copies, and one that is too small: GStreamer copies, all frames arrive, and it is
      // reported.
      StatefulCase(
        name: "planeUntouched", environment: "FAULTY_DECODER_CREATE=no FAULTY_DECODER_BUFFERS=6", framebuffers: 1...6),
      StatefulCase(
        name: "planeScarce", environment: "FAULTY_DECODER_CREATE=no FAULTY_DECODER_BUFFERS=4", framebuffers: 1...4),
      // The controls: each frame is copied, or each is in memory that doesn't return to its decoder.
      StatefulCase(name: "planeCopied", framebuffers: 0...0),
      // GStreamer 1.26: memory returns to its decoder without its former buffer.
      StatefulCase(name: "planeForgetful", framebuffers: GStreamerHere.isNewer ? 1...16 : 31...60),
    ])
  func statefulOnPlane(_ example: StatefulCase) async throws {
    let run = try await Board.run(
      Self.statefulTools + """
        export LD_PRELOAD="$SCALING_CARD $FAULTY_DECODER" SCALING_CARD_LOG=/run/out/card
        export GST_DEBUG=v4l2*:4,GST_PERFORMANCE:6 GST_DEBUG_NO_COLOR=1 GST_DEBUG_FILE=/run/out/gst
        check \(example.name) kms-modeset -m 640x480 \\
          env \(example.environment) VITRINE_KMS_PLANE=@FD@,@CONNECTOR@,@OVERLAY@
        """, hasMedia: true)
    #expect(run.outcome.status == 0, "\(run.outcome.output) \(run.outcome.errors)")
    #expect(run.outcome.output.contains("1 test"), "\(run.outcome.output)")
    let card = try CardLog(try run.text("card"))
    let made = card.calls.filter { $0.call == "addfb2" && $0.imported == true }.count
    #expect(example.framebuffers.contains(made), "\(made) \(run.outcome.output)")
  }
}
