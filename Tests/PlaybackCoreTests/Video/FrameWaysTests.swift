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

  @Test("The screen's layouts decide; the chip converts other ones, and without a chip they are read back")
  func layouts() {
    #expect(ways(screen: [Self.tiled, Self.rows]).ways == [.untouched, .processed, .downloaded])
    #expect(ways(screen: [Self.tiled]).ways == [.untouched, .downloaded])
    #expect(ways(screen: [Self.rows]).ways == [.processed, .downloaded])
    #expect(ways(screen: [Self.rows], processor: nil).ways == [.downloaded])
    // GStreamer 1.22 only: it reports no layouts.
    #expect(ways(screen: []).ways == [.downloaded])
  }

  @Test("Frames are only asked for in the film's own format, of those that decoder and screen share")
  func code() {
    let deep = DRMFormat(code: "P010", modifier: 0x0100_0000_0000_0002)
    let both = ways(decoder: [Self.tiled, deep], screen: [Self.tiled, deep], code: "P010")
    #expect(both.ways.first == .untouched && both.shared == [deep])
    let eight = ways(decoder: [Self.tiled, deep], screen: [Self.tiled, Self.rows], code: "P010")
    #expect(eight.ways == [.processed, .downloaded] && eight.written == [Self.rows])
    let colours: Set<DRMFormat> = [DRMFormat(code: "XR24"), DRMFormat(code: "AR24")]
    #expect(ways(screen: colours, processor: colours).written == colours)
  }

  @Test("Frames larger than the screen reads, and those of another chip's screen, are never shared")
  func limits() {
    let small = PixelSize(width: 1920, height: 1079)
    #expect(ways(screen: [Self.tiled, Self.rows], largest: small).ways == [.processed, .downloaded])
    #expect(ways(screen: [Self.tiled], largest: Self.film).ways.first == .untouched)
    #expect(ways(screen: [Self.tiled, Self.rows], isForeign: true).ways == [.downloaded])
  }

  @Test("The chip scales and rotates; the processor deinterlaces, maps HDR and crops")
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

  @Test("VA-API decoders are recognised by name, with the same chip's converter")
  func names() {
    #expect(VADecoder("vah264dec")?.processor == "vapostproc")
    #expect(VADecoder("varenderD129h265dec")?.processor == "varenderD129postproc")
    for name in ["vaav1dec", "vavp9dec", "vajpegdec"] { #expect(VADecoder(name) != nil) }
    for name in ["vaapih264dec", "v4l2h264dec", "avdec_h264", "vapostproc", "vah264enc", "valve"] {
      #expect(VADecoder(name) == nil, "\(name)")
    }
  }

  @Test("A decoder's use is stored as its name, with its way if it has several")
  func uses() {
    for way in [nil] + FrameWay.allCases.map(Optional.some) {
      let use = DecoderUse("vah264dec", way: way)
      #expect(DecoderUse(text: use.text) == use)
    }
    #expect(DecoderUse("vah264dec", way: .untouched).text == "vah264dec:untouched")
    #expect(DecoderUse(text: "v4l2h264dec") == DecoderUse("v4l2h264dec"))
    #expect(DecoderUse(text: "odd:name") == DecoderUse("odd:name"))
  }

  @Test("A way that fails is given up at once, and the last one after its second failure")
  func ladder() {
    var ladder = DecoderFallback()
    #expect(ladder.failed("vah264dec:untouched") == .avoid)
    #expect(ladder.failed("vah264dec:processed") == .avoid)
    #expect(ladder.failed("vah264dec:downloaded") == .again)
    #expect(ladder.failed("vah264dec:downloaded") == .avoid)
  }

  @Test("The report tells the graphics chip's work from the processor's")
  func told() {
    let stage = VideoStage.process(
      to: PresentationSize(pixels: PixelSize(width: 1280, height: 720)), addsBorders: false, .upright)
    let path = FramePath(decoder: "vah264dec", isHardware: true, isShared: false, stages: [stage])
    #expect(path.word == "processed" && !path.isCopied)
    #expect(path.text == "vah264dec decodes, the graphics chip has each frame scaled to 1280x720")
    let untouched = FramePath(decoder: "vah264dec", isHardware: true, isShared: true)
    let copied = FramePath(decoder: "vah264dec", isHardware: true, isShared: false)
    #expect(path.isWorse(than: untouched) && copied.isWorse(than: path))
    func outlook(_ screen: Set<DRMFormat>, givenUp: Set<DecoderUse> = []) -> DecoderOutlook {
      DecoderOutlook(
        .h264, decoder: "vah264dec", isHardware: true, copies: false, demand: nil, isAccepted: true,
        ways: FrameWays.Facts(decoder: [Self.tiled], screen: screen, processor: [Self.rows]),
        givenUp: givenUp)
    }
    #expect(outlook([Self.tiled]).text == "H.264: vah264dec, in hardware; frames go to the plane as they are")
    #expect(outlook([Self.rows]).text == "H.264: vah264dec, in hardware; the graphics chip has each frame converted")
    #expect(outlook([]).text == "H.264: vah264dec, in hardware; the processor has each frame copied")
    // A way that gave no picture isn't the expected one.
    let both: Set = [Self.tiled, Self.rows]
    let (first, second) = (DecoderUse("vah264dec", way: .untouched), DecoderUse("vah264dec", way: .processed))
    #expect(outlook(both).path.word == "untouched" && outlook(both, givenUp: [first]).path.word == "processed")
    #expect(outlook(both, givenUp: [first, second]).path.word == "copied")
    #expect(outlook([], givenUp: [DecoderUse("vah264dec", way: .downloaded)]).path.word == "copied")
  }
}
