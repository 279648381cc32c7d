import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// The pictures that the stand-in paints (Tests/CStandInDecoder/surfaces.c), seen on the screen through the card's writeback.
extension VADecoderBoardTests {
  struct Film: CustomTestStringConvertible, Sendable {
    var clip: String
    /// Of the frames that the plane shows.
    var size: [Int]
    /// Of the screen.
    var mode: [Int]
    /// The layout that the plane reads besides rows, and the largest frame that it reads.
    var layouts = tiled
    var largest = ""
    /// The layout that the chip writes; empty for no chip.
    var writes = "NV12"
    var word: String
    /// Of the framebuffers that are made of dmabufs.
    var format = "NV12"
    var layout = "0x0100000000000002"

    var testDescription: String { "\(clip), plane \(layouts) \(largest), chip \(writes): \(word)" }
  }

  private static let rows = "0x0000000000000000"
  private static let deep = "P010:0x0100000000000002"

  static let films = [
    // 1080 lines are coded as 1088.
    Film(clip: "h264-1920x1080.mp4", size: [1920, 1080], mode: [1920, 1080], word: "untouched"),
    Film(
      clip: "h264-1920x1080.mp4", size: [1920, 1080], mode: [1920, 1080], layouts: deep, word: "processed",
      layout: rows),
    Film(
      clip: "h264-1920x1080.mp4", size: [1920, 1080], mode: [1920, 1080], layouts: deep, writes: "", word: "copied"),
    Film(clip: "vp9-321x181.webm", size: [321, 181], mode: [321, 181], word: "untouched"),
    Film(clip: "vp9-321x181.webm", size: [321, 181], mode: [321, 181], layouts: deep, writes: "", word: "copied"),
    Film(
      clip: "hevc-ten-bits-640x480.mp4", size: [640, 480], mode: [640, 480], layouts: deep, word: "untouched",
      format: "P010"),
    Film(clip: "hevc-ten-bits-640x480.mp4", size: [640, 480], mode: [640, 480], word: "processed", layout: rows),
    Film(
      clip: "hevc-ten-bits-640x480.mp4", size: [640, 480], mode: [640, 480], writes: "NV12,P010", word: "processed",
      format: "P010", layout: rows),
    Film(clip: "hevc-ten-bits-640x480.mp4", size: [640, 480], mode: [640, 480], writes: "", word: "copied"),
    // Larger than the card takes.
    Film(
      clip: "h264-1920x1080.mp4", size: [1280, 720], mode: [1280, 720], largest: "1280x720", word: "processed",
      layout: rows),
    Film(
      clip: "h264-1920x1080.mp4", size: [1280, 720], mode: [1280, 720], largest: "1280x720", writes: "",
      word: "converted"),
  ]

  @Test("Right pixels of padded and of odd sizes and of ten bits, by each way", arguments: films)
  func picture(_ film: Film) async throws {
    let mode = film.mode.map(String.init).joined(separator: "x")
    let more =
      "STAND_IN_DECODES=\(Self.tiled),\(Self.deep) STAND_IN_WRITES=\(film.writes) SCALING_CARD_MODES=\(mode)@60"
      + (film.largest.isEmpty ? "" : " SCALING_CARD_LARGEST=\(film.largest)")
    let ((report, card, log), shot) = try await Self.photograph(
      Self.tools(more, layouts: film.layouts) + "look 1 \"$DECODER_MEDIA/\(film.clip)\"")
    #expect(
      report.items.first?.decoder?.hasPrefix("va") == true && report.items.first?.framePath == film.word, "\(log)")
    #expect(report.framesRendered == 60 && report.framesDropped == 0)
    let imported = card.calls.filter { $0.call == "addfb2" && $0.imported == true }
    if ["copied", "converted"].contains(film.word) {
      #expect(imported.isEmpty, "\(imported)")
    } else {
      #expect(!imported.isEmpty && imported.count <= 8, "\(imported.count)")
      for call in imported {
        #expect(call.format == film.format && call.layout == film.layout && call.size == film.size, "\(call)")
      }
    }
    Self.expectPicture(shot, x: 0, y: 0, width: film.mode[0], height: film.mode[1])
  }

  /// The stand-in's picture fills this part of the screen, and nothing of what lies behind its rows and lines is to be seen.
  static func expectPicture(_ shot: Pixels, x: Int, y: Int, width: Int, height: Int) {
    func at(_ across: Int, _ down: Int) -> (red: Int, green: Int, blue: Int) { shot[x + across, y + down] }
    for (across, down) in [(2, 2), (width - 3, 2), (2, height - 3), (width - 3, height - 3), (width / 2, height - 3)] {
      let edge = at(across, down)
      #expect(min(edge.red, edge.green, edge.blue) > 215, "at \(across), \(down): \(edge)")
    }
    let (grey, blue) = (at(width / 4, height / 4), at(width * 3 / 4, height / 4))
    let (green, brown) = (at(width / 4, height * 3 / 4), at(width * 3 / 4, height * 3 / 4))
    #expect(max(grey.red, grey.green, grey.blue) - min(grey.red, grey.green, grey.blue) < 12, "\(grey)")
    #expect(blue.blue > max(blue.red, blue.green) + 60, "\(blue)")
    #expect(green.green > max(green.red, green.blue) + 60, "\(green)")
    #expect(brown.red > max(brown.green, brown.blue) + 60, "\(brown)")
    var hidden = 0
    for column in 0..<shot.width {
      for row in 0..<shot.height {
        let pixel = shot[column, row]
        if pixel.red > 215, max(pixel.green, pixel.blue) < 60 { hidden += 1 }
      }
    }
    #expect(hidden == 0, "\(hidden) pixels of what lies behind the picture")
  }
}
