import PlaybackCore
import Testing

@Suite("The way of a decoder's frames to the screen")
struct FrameWaysTests {
  private static let tiled = DRMFormat(code: "NV12", modifier: 0x0100_0000_0000_0002)
  private static let rows = DRMFormat(code: "NV12")
  private static let film = PixelSize(width: 1920, height: 1080)

  private func ways(
    decoder: Set<DRMFormat> = [tiled], screen: Set<DRMFormat>, processor: Set<DRMFormat>? = [rows],
    largest: PixelSize? = nil, isForeign: Bool = false, code: String = "NV12", stages: [VideoStage] = []
  ) -> FrameWays {
    FrameWays(
      FrameWays.Facts(
        decoder: decoder, screen: screen, processor: processor, largest: largest, isForeign: isForeign),
      code: code, size: Self.film, treatment: VideoTreatment(stages: stages))
  }

  @Test("The screen's layouts decide; one that it doesn't have is written by the chip; without a chip it is read back")
  func layouts() {
    #expect(ways(screen: [Self.tiled, Self.rows]).ways == [.untouched, .processed, .downloaded])
    #expect(ways(screen: [Self.tiled]).ways == [.untouched, .downloaded])
    #expect(ways(screen: [Self.rows]).ways == [.processed, .downloaded])
    #expect(ways(screen: [Self.rows], processor: nil).ways == [.downloaded])
    // GStreamer 1.22 tells no layouts.
    #expect(ways(screen: []).ways == [.downloaded])
  }

  @Test("Of what decoder and screen have in common only the film's own format is asked for")
  func code() {
    let deep = DRMFormat(code: "P010", modifier: 0x0100_0000_0000_0002)
    let both = ways(decoder: [Self.tiled, deep], screen: [Self.tiled, deep], code: "P010")
    #expect(both.ways.first == .untouched && both.shared == [deep])
    let eight = ways(decoder: [Self.tiled, deep], screen: [Self.tiled, Self.rows], code: "P010")
    #expect(eight.ways == [.processed, .downloaded] && eight.written == [Self.rows])
    let colours: Set<DRMFormat> = [DRMFormat(code: "XR24"), DRMFormat(code: "AR24")]
    #expect(ways(screen: colours, processor: colours).written == colours)
  }

  @Test("Frames that are larger than the screen reads, and those of another chip's screen, are never shared")
  func limits() {
    let small = PixelSize(width: 1920, height: 1079)
    #expect(ways(screen: [Self.tiled, Self.rows], largest: small).ways == [.processed, .downloaded])
    #expect(ways(screen: [Self.tiled], largest: Self.film).ways.first == .untouched)
    #expect(ways(screen: [Self.tiled, Self.rows], isForeign: true).ways == [.downloaded])
  }

  @Test("Scaling and turning are the chip's; fields, HDR and cutting are the processor's")
  func treatment() throws {
    let screen: Set<DRMFormat> = [Self.tiled, Self.rows]
    let size = PresentationSize(pixels: PixelSize(width: 640, height: 360))
    let quarter = PictureOrientation(rotation: .clockwise)
    #expect(ways(screen: screen, stages: [.scale(to: size, addsBorders: true)]).ways == [.processed, .downloaded])
    for stage: VideoStage in [
      .deinterlace(.fields), .toneMap(reduction: 1),
      .crop(PixelRect(x: 0, y: 0, width: 10, height: 10), of: Self.film),
    ] {
      #expect(ways(screen: screen, stages: [stage, .convert]).ways == [.downloaded], "\(stage)")
    }
    let turned = try #require(
      VideoTreatment(stages: [.scale(to: size, addsBorders: false), .turn(quarter)]).byGraphics)
    #expect(turned.stages == [.process(to: quarter.turned(size), addsBorders: false, quarter)])
    #expect(VideoTreatment.none.byGraphics?.stages == [.process(to: nil, addsBorders: false, .upright)])
  }

  @Test("Decoders of VA-API are known by name, with the element of the same chip that writes frames")
  func names() {
    #expect(VADecoder("vah264dec")?.processor == "vapostproc")
    #expect(VADecoder("varenderD129h265dec")?.processor == "varenderD129postproc")
    for name in ["vaav1dec", "vavp9dec", "vajpegdec"] { #expect(VADecoder(name) != nil) }
    for name in ["vaapih264dec", "v4l2h264dec", "avdec_h264", "vapostproc", "vah264enc", "valve"] {
      #expect(VADecoder(name) == nil, "\(name)")
    }
  }

  @Test("A use is remembered as text, and a decoder of one way stays what it was")
  func uses() {
    for way in [nil] + FrameWay.allCases.map(Optional.some) {
      let use = DecoderUse("vah264dec", way: way)
      #expect(DecoderUse(text: use.text) == use)
    }
    #expect(DecoderUse("vah264dec", way: .untouched).text == "vah264dec:untouched")
    #expect(DecoderUse(text: "v4l2h264dec") == DecoderUse("v4l2h264dec"))
    #expect(DecoderUse(text: "odd:name") == DecoderUse("odd:name"))
  }

  @Test("A way that fails is given up at once, the last one after its second time, as other decoders are")
  func ladder() {
    var ladder = DecoderLadder()
    #expect(ladder.failed("vah264dec:untouched") == .avoid)
    #expect(ladder.failed("vah264dec:processed") == .avoid)
    #expect(ladder.failed("vah264dec:downloaded") == .again)
    #expect(ladder.failed("vah264dec:downloaded") == .avoid)
  }

  @Test("What the chip does is told apart from what the processor does")
  func told() {
    let stage = VideoStage.process(
      to: PresentationSize(pixels: PixelSize(width: 1280, height: 720)), addsBorders: false, .upright)
    let path = FramePath(decoder: "vah264dec", isHardware: true, isShared: false, stages: [stage])
    #expect(path.word == "processed" && !path.isCopied)
    #expect(path.text == "vah264dec decodes, the graphics chip has each frame scaled to 1280x720")
    let untouched = FramePath(decoder: "vah264dec", isHardware: true, isShared: true)
    let copied = FramePath(decoder: "vah264dec", isHardware: true, isShared: false)
    #expect(path.isWorse(than: untouched) && copied.isWorse(than: path))
    func outlook(_ screen: Set<DRMFormat>) -> DecoderOutlook {
      DecoderOutlook(
        .h264, decoder: "vah264dec", isHardware: true, copies: false, demand: nil, isAccepted: true,
        ways: FrameWays.Facts(decoder: [Self.tiled], screen: screen, processor: [Self.rows]))
    }
    #expect(outlook([Self.tiled]).text == "H.264: vah264dec, in hardware; frames go to the plane as they are")
    #expect(outlook([Self.rows]).text == "H.264: vah264dec, in hardware; the graphics chip has each frame converted")
    #expect(outlook([]).text == "H.264: vah264dec, in hardware; the processor has each frame copied")
  }
}
