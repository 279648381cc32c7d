import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

@testable import MediaPipeline

/// Plays pictures of every kind through a deck onto a screen of 160x90.
@Suite("Pictures of all common kinds", .serialized)
struct PictureDeckTests {
  private func item(_ name: String) async throws -> MediaItem {
    MediaItem(uri: URL(filePath: try await Pictures.path(name)).absoluteString, kind: .picture)
  }

  private func shown(_ name: String) async throws -> Pixels {
    let rig = try await Rig(size: PixelSize(width: 160, height: 90))
    let deck = try rig.deck(1, try await item(name))
    _ = try await rig.ready()
    deck.play(base: rig.now)
    _ = try await rig.frame(of: 1)
    let frame = await withCheckedContinuation { done in rig.output.captureFrame { done.resume(returning: $0.frame) } }
    deck.drop()
    let captured = try #require(frame)
    let size = captured.size.pixels
    return Pixels(width: size.width, height: size.height, xrgb: captured.pixels)
  }

  private func expectShown(_ name: String, like reference: String) async throws {
    let picture = try await shown(name)
    let directory = try TemporaryDirectory()
    let scaled = directory.path("reference.ppm")
    let size = "\(picture.width)x\(picture.height)"
    // A very narrow picture has borders in its frame.
    let isRibbon = min(picture.width, picture.height) == FrameShape.shortestSide
    let fit = isRibbon ? [size, "-background", "black", "-gravity", "center", "-extent", size] : ["\(size)!"]
    let outcome = try await Tool.run(
      "convert", [try await Pictures.path(reference), "-resize"] + fit + ["-depth", "8", scaled])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let difference = picture.difference(from: try await Pixels(path: scaled))
    #expect(difference.mean < 4, "\(name): \(difference)")
  }

  @Test(
    "Each kind looks as ImageMagick shows it",
    arguments: [
      "baseline.jpg", "progressive.jpg", "grey.jpg", "cmyk.jpg", "sixteen.png", "interlaced.png", "palette.png",
      "grey.png",
      "one-bit.png", "alpha.png", "bitmap.bmp", "palette.bmp", "lzw.tif", "sixteen.tif", "still.webp", "alpha.webp",
      "still.gif", "4k.jpg", "odd.png", "one.png", "tall.png", "plain.tga", "packed.tga", "grey.tga", "palette.tga",
      "bottom.tga",
    ])
  func kinds(name: String) async throws { try await expectShown(name, like: "\(name).ref.png") }

  @Test(
    "Photos of phones and web pictures in film containers are shown",
    arguments: ["phone.heic", "web.avif", "bare.jxl", "boxed.jxl", "parted.jxl"])
  func containers(name: String) async throws { try await expectShown(name, like: "upright.png") }

  @Test("An SVG is drawn in the screen's size")
  func vector() async throws {
    let picture = try await shown("vector.svg")
    #expect(picture.width == 160 && picture.height == 90)
    try await expectShown("vector.svg", like: "vector.ref.png")
    // The corners' edges are sharp: the picture wasn't drawn at 16x9 and enlarged.
    #expect(picture.isNear(18, 10, (255, 0, 0), within: 4) && picture.isNear(21, 10, (0x33, 0x66, 0x99), within: 4))
  }

  @Test(
    "A picture stands upright, however the camera was held",
    arguments: [1, 2, 3, 4, 5, 6, 7, 8].map { "turned-\($0).jpg" } + ["turned-6.png", "turned-6.tif"])
  func orientations(name: String) async throws { try await expectShown(name, like: "upright.png") }

  @Test(
    "An animation plays with its own delays: as often as its file or the item says, or for a picture's time",
    arguments: [
      ("moving-ever.gif", nil, nil, 500, 3), ("moving-once.gif", nil, nil, 600, 3),
      ("moving-twice.gif", nil, nil, 1200, 6),
      ("moving-twice.png", nil, nil, 1200, 6), ("moving-ever.webp", 1, nil, 600, 3),
      ("moving-once.gif", nil, 900, 900, 3),
    ] as [(String, Int?, Int?, Int, UInt32)])
  func moving(name: String, loops: Int?, duration: Int?, end: Int, frames: UInt32) async throws {
    let rig = try await Rig()
    var item = try await item(name)
    item.loops = loops
    item.pictureDuration = duration.map { .milliseconds($0) }
    let deck = try rig.deck(1, item)
    #expect(try await rig.ready().duration == .milliseconds(end))
    deck.play(base: rig.now)
    var times: [Duration] = []
    var ended: (Duration, UInt32)?
    while ended == nil || times.count < Int(frames) {
      switch try await rig.next({ $0 }) {
      case .output(.frame(let frame)): times.append(frame.streamTime)
      case .deck(_, .streamEnded(.video, let at, let count, _)): ended = (at, count)
      default: break
      }
    }
    #expect(ended?.0 == .milliseconds(end) && ended?.1 == frames)
    #expect(times == (0..<Int(frames)).map { .milliseconds($0 * 200) })
    deck.drop()
  }

  @Test(
    "A picture that can't be shown gives the number of its error",
    arguments: [
      ("bomb.png", 3101), ("large.png", 3101), ("cut.jpg", 3103), ("text.png", 3001), ("empty.png", 3001),
      ("none.png", 7101),
    ])
  func errors(name: String, number: Int) async throws {
    let directory = try TemporaryDirectory()
    var path = directory.path(name)
    switch name {
    case "cut.jpg":
      let whole = try Data(contentsOf: URL(filePath: try await Pictures.path("baseline.jpg")))
      try whole.prefix(whole.count / 2).write(to: URL(filePath: path))
    case "text.png": try "<html>Log in".write(toFile: path, atomically: true, encoding: .utf8)
    case "empty.png": try Data().write(to: URL(filePath: path))
    case "none.png": break
    default: path = try await Pictures.path(name)
    }
    let rig = try await Rig()
    let deck = try rig.deck(1, MediaItem(uri: URL(filePath: path).absoluteString, kind: .picture))
    let error = try await rig.next { if case .deck(_, .failed(let error)) = $0 { error } else { nil } }
    #expect(error.number == number, "\(error)")
    deck.drop()
  }
}
