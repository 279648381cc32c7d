import PlaybackCore
import Testing

@testable import MediaPipeline

@Suite("Values of the bridge")
struct BridgeValuesTests {
  @Test("A frame's tag survives the buffer's offset fields")
  func tag() {
    var tag = FrameTag(deck: DeckID(generation: 70_000), index: 2_000_000_000, streamTime: .seconds(86_400))
    #expect(FrameTag(offset: tag.offset, offsetEnd: tag.offsetEnd) == tag)
    tag.isRepeat = true
    #expect(FrameTag(offset: tag.offset, offsetEnd: tag.offsetEnd) == tag)
  }

  @Test("Frames are fitted where the plane can't scale, and left unchanged where it can and their pixels are square")
  func shape() {
    let screen = PixelSize(width: 1024, height: 768)
    let square = PresentationSize(pixels: PixelSize(width: 640, height: 360))
    let wide = PresentationSize(
      pixels: PixelSize(width: 720, height: 576), pixelAspect: Ratio(numerator: 16, denominator: 15))
    #expect(FrameShape.asDecoded.size(for: square) == nil)
    #expect(FrameShape.covering(screen: screen, pixelAspect: .one).size(for: square)?.pixels == screen)
    #expect(
      FrameShape.fitted(screen: screen, pixelAspect: .one).size(for: square)?.pixels
        == PixelSize(width: 1024, height: 576))
    // Frames for a scaling plane stay unchanged, whatever the shape of their pixels, until the plane refuses.
    let placed = FrameShape.placed(screen: screen, fit: .contain)
    #expect(placed.size(for: square) == nil && placed.size(for: wide) == nil)
    #expect(placed.withoutPlane.size(for: wide)?.pixels == PixelSize(width: 1024, height: 768))
    #expect(placed.fitting(.cover, screen: screen).crop(of: square) == nil)
    #expect(placed.fitting(.cover, screen: screen).withoutPlane.crop(of: square) != nil)
  }

  @Test("A sink's preference for one fixed size is dropped; ranges stay")
  func fixedSizes() throws {
    try GStreamerLibrary.start()
    let caps = try #require(
      Caps(
        "video/x-raw,format=I420,width=1024,height=768; video/x-raw,format=I420,width=[1,4096],height=[1,4096]"))
    let ranges = caps.withoutFixedSizes().text
    #expect(!ranges.contains("1024") && ranges.contains("[ 1, 4096 ]"))
  }
}

@Suite("Metadata")
struct MetadataTests {
  @Test("Tags come in pieces: new values replace old ones, and values that aren't named stay")
  func merge() {
    var metadata = MediaMetadata(title: "Hall", artist: "A")
    metadata.merge(MediaMetadata(title: "The hall", album: "Museum"))
    #expect(metadata == MediaMetadata(title: "The hall", artist: "A", album: "Museum"))
    #expect(MediaMetadata().isEmpty && !metadata.isEmpty)
  }
}

@Suite("Errors of the media library")
struct MediaErrorsTests {
  @Test(
    "Each error gets a number, by its domain, code, HTTP status and the item's origin",
    arguments: [
      (MediaFault.Domain.resource, 3, nil as Int?, false, 7101), (.resource, 3, nil, true, 2404),
      (.resource, 5, 503, true, 2503), (.resource, 9, 404, true, 2404), (.resource, 5, nil, false, 7102),
      (.resource, 9, nil, true, 2001), (.stream, 5, nil, false, 3001), (.stream, 4, nil, false, 3001),
      (.stream, 6, nil, false, 4001), (.core, 12, nil, false, 4001), (.stream, 7, nil, false, 4002),
      (.stream, 9, nil, false, 3002), (.stream, 12, nil, true, 4003), (.stream, 1, nil, true, 2002),
      (.stream, 1, nil, false, 3003), (.other, 0, nil, false, 3003), (.resource, 12, nil, true, 2004),
    ] as [(MediaFault.Domain, Int, Int?, Bool, Int)])
  func classify(domain: MediaFault.Domain, code: Int, status: Int?, isRemote: Bool, number: Int) {
    let fault = MediaFault(domain: domain, code: code, message: "m", debug: "d", httpStatus: status)
    let error = MediaErrors.classify(fault, uri: "u", isRemote: isRemote)
    #expect(error.number == number)
    #expect(error.subject == "u" && !error.message.isEmpty && !error.remedy.isEmpty && error.detail == "m | d")
  }
}
