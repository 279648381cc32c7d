import KioskTestSupport
import PictureDecoder
import PictureFiles
import PlaybackCore
import Testing

@Suite("Frames of moving pictures, decoded")
struct PictureFramesTests {
  private let anySize = PictureRequest(size: { $0 })

  @Test("Each frame equals ffmpeg's, also in the second round", arguments: ["film.gif", "film.png"])
  func frames(name: String) async throws {
    let bytes = try await PictureFormatTests.bytes(name)
    let expected = try await Pictures.frames(of: name)
    let header = try PictureHeader.read(bytes)
    let frames = try PictureFrames(bytes, header, background: 0, anySize)
    let length = 64 * 36 * 3
    #expect(header.animation?.delays.count == 10 && expected.count >= 10 * length)
    for index in Array(0..<10) + [0, 1] {
      let rgb = try frames.frame(index).rgba().enumerated().filter { $0.offset % 4 != 3 }.map(\.element)
      #expect(rgb.elementsEqual(expected[index * length..<(index + 1) * length]), "frame \(index)")
    }
  }

  @Test("TIFFs are upright in all eight orientations", arguments: 1...8)
  func orientations(number: Int) async throws {
    let bytes = try await PictureFormatTests.bytes("turned-\(number).tif")
    let frames = try PictureFrames(bytes, try PictureHeader.read(bytes), background: 0, anySize)
    let upright = try await PictureFormatTests.bytes("upright.png")
    let expected = try PictureFrames(upright, try PictureHeader.read(upright), background: 0, anySize).frame(0)
    let turned = try frames.frame(0)
    #expect(turned.size == expected.size)
    // The fourth byte of a pixel is unused.
    let wrong = zip(turned.rgba(), expected.rgba()).enumerated().count {
      $0.offset % 4 != 3 && $0.element.0 != $0.element.1
    }
    #expect(wrong == 0)
  }

  @Test("An animated AVIF shows its first picture")
  func sequence() async throws {
    let still = try await PictureFormatTests.bytes("web.avif")
    var moving = still
    moving.replaceSubrange(8..<12, with: "avis".utf8)
    let header = try PictureHeader.read(moving)
    #expect(header.format == .avif)
    let pixels = try PictureFrames(moving, header, background: 0, anySize).frame(0).rgba()
    #expect(try pixels == PictureFrames(still, header, background: 0, anySize).frame(0).rgba())
  }

  @Test("An animated WebP has moving frames", arguments: [(0, 0), (1, 1), (2, 2), (3, 0)])
  func webp(index: Int, channel: Int) async throws {
    let bytes = try await PictureFormatTests.bytes("moving-ever.webp")
    let frames = try PictureFrames(bytes, try PictureHeader.read(bytes), background: 0, anySize)
    for before in 0..<(index % 3) { _ = try frames.frame(before) }
    let pixel = try frames.frame(index % 3).rgba().prefix(3)
    #expect(pixel.enumerated().allSatisfy { $0.element == ($0.offset == channel ? 255 : 0) }, "\(pixel)")
  }

  @Test("A transparent pixel shows the background")
  func background() async throws {
    let bytes = try await PictureFormatTests.bytes("alpha.png")
    let frames = try PictureFrames(bytes, try PictureHeader.read(bytes), background: 0x0000FF, anySize)
    let pixel = Array(try frames.frame(0).rgba().prefix(3)).map(Int.init)
    #expect(zip(pixel, [128, 0, 127]).allSatisfy { abs($0 - $1) <= 1 }, "\(pixel)")
  }

  @Test(
    "A picture whose size is refused isn't decoded, whatever its header said",
    arguments: ["baseline.jpg", "sixteen.png", "lzw.tif", "bitmap.bmp", "still.webp", "plain.tga", "bare.jxl"])
  func refused(name: String) async throws {
    let bytes = try await PictureFormatTests.bytes(name)
    let header = try PictureHeader.read(bytes)
    #expect(throws: PictureProblem.tooManyPixels(PixelSize(width: 160, height: 90))) {
      _ = try PictureFrames(bytes, header, background: 0, PictureRequest(size: { _ in nil }))
    }
  }

  @Test("A JPEG XL too large for its decoder's memory is refused by its header")
  func largeJXL() throws {
    // A header with sides of 4000 and 8000, each less 1 in 13 bits, without a fixed ratio.
    let fields: [(value: Int, bits: Int)] = [
      (0xFF, 8), (0x0A, 8), (0, 1), (1, 2), (3999, 13), (0, 3), (1, 2), (7999, 13), (1, 1),
    ]
    let bits = fields.flatMap { field in (0..<field.bits).map { field.value >> $0 & 1 } }
    let bytes = (0..<1_000).map { byte in
      (0..<8).reduce(UInt8(0)) { $0 | UInt8(byte * 8 + $1 < bits.count ? bits[byte * 8 + $1] << $1 : 0) }
    }
    let size = PixelSize(width: 8000, height: 4000)
    let header = try PictureHeader.read(bytes)
    #expect(header.size == size && PictureLimits.allow(size))
    #expect(throws: PictureProblem.tooManyPixels(size)) {
      _ = try PictureFrames(bytes, header, background: 0, anySize)
    }
  }

  @Test(
    "A picture that ends half-way is reported as damaged",
    arguments: ["baseline.jpg", "sixteen.png", "phone.heic", "boxed.jxl"])
  func cut(name: String) async throws {
    let bytes = try await PictureFormatTests.bytes(name)
    let half = Array(bytes.prefix(bytes.count / 2))
    do {
      let header = try PictureHeader.read(half)
      _ = try PictureFrames(half, header, background: 0, anySize)
      Issue.record("it was shown")
    } catch {
      guard case .damaged = error else { throw error }
      #expect(error.error("a").number == 3103)
    }
  }

  @Test("A cancelled request ends decoding")
  func cancelled() async throws {
    let bytes = try await PictureFormatTests.bytes("bitmap.bmp")
    #expect(throws: PictureProblem.cancelled) {
      _ = try PictureFrames(
        bytes, try PictureHeader.read(bytes), background: 0, PictureRequest(size: { $0 }, isCancelled: { true }))
    }
  }
}
