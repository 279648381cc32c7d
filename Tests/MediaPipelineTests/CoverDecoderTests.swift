import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

@testable import MediaPipeline

@Suite("Covers")
struct CoverDecoderTests {
  private static func file(_ name: String) async throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: try await Pictures.path(name))))
  }

  @Test("A small cover keeps its size and colours", arguments: ["upright.png", "baseline.jpg", "palette.png"])
  func small(name: String) async throws {
    let cover = try #require(
      CoverDecoder.decode(try await Self.file(name), for: PixelSize(width: 1920, height: 1080)))
    #expect(cover.size == PixelSize(width: 160, height: 90) && cover.pixels.count == 160 * 90)
    // Red in the corner, and opaque.
    let corner = cover.pixels[10 * 160 + 10]
    #expect(corner >> 24 == 0xFF && corner >> 16 & 0xFF > 200 && corner & 0xFF < 60, "\(corner)")
  }

  @Test("A large cover is decoded no larger than it is shown, upright or not", arguments: ["4k.jpg", "turned-5.jpg"])
  func large(name: String) async throws {
    let cover = try #require(CoverDecoder.decode(try await Self.file(name), for: PixelSize(width: 640, height: 80)))
    #expect(
      max(cover.size.width, cover.size.height) == 40 && cover.pixels.count == cover.size.width * cover.size.height)
    #expect(cover.size.width > cover.size.height, "it stands upright")
  }

  @Test("A cover that is too large, damaged, of another format or empty is refused")
  func refused() async throws {
    let screen = PixelSize(width: 640, height: 480)
    for name in ["bomb.png", "large.png", "moving-ever.gif", "vector.svg"] {
      #expect(CoverDecoder.decode(try await Self.file(name), for: screen) == nil, "\(name)")
    }
    let whole = try await Self.file("baseline.jpg")
    for count in [0, 1, 10, 100, whole.count / 2] {
      #expect(CoverDecoder.decode(Array(whole.prefix(count)), for: screen) == nil)
    }
  }
}
