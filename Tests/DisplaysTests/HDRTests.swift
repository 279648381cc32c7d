import InteractionCore
import KioskTestSupport
import PlaybackCore
import ScreenModel
import Testing

@testable import Displays

/// Tests the metadata for an HDR screen. No test machine has one: docs/board-checklist.md lists checks for an owner.
@Suite("HDR on a connector")
struct HDRTests {
  private let hdr: [UInt8] = [0xE6, 0x06, 0b1101, 0x01, 0x78, 0x5A, 0x32]
  private let colorimetry: [UInt8] = [0xE3, 0x05, 0xC0, 0x00]
  // MARK: The screen's metadata

  private let light = HDRLight(
    display: HDRLight.Display(
      red: .init(x: 34_000, y: 16_000), green: .init(x: 13_250, y: 34_500), blue: .init(x: 7500, y: 3000),
      white: .init(x: 15_635, y: 16_450), most: 10_000_000, least: 50),
    brightestPixel: 1200, brightestFrame: 400)

  @Test("The metadata has the layout of the kernel's structure")
  func metadata() {
    let bytes = HDRMetadata(.pq, light).bytes
    #expect(bytes.count == 32)
    #expect(bytes[0..<6] == [0, 0, 0, 0, 2, 0])
    func number(_ at: Int) -> Int { Int(bytes[at]) | Int(bytes[at + 1]) << 8 }
    #expect(
      stride(from: 6, to: 30, by: 2).map(number) == [
        34_000, 16_000, 13_250, 34_500, 7500, 3000, 15_635, 16_450, 1000, 50, 1200, 400,
      ])
    // Nothing known, and numbers beyond what fits.
    #expect(HDRMetadata(.hlg, HDRLight()).bytes == [0, 0, 0, 0, 3, 0] + [UInt8](repeating: 0, count: 26))
    var bright = light
    bright.display?.most = .max
    bright.display?.least = .max
    #expect(HDRMetadata(.pq, bright).bytes[22...25] == [0xFF, 0xFF, 0xFF, 0xFF])
  }

  private func screen(_ change: (inout PlaneSnapshot, inout ConnectorSnapshot) -> Void = { _, _ in }) -> HDRScreen {
    let board = Board(overlays: 3)
    var found = board.card.connectors[0]
    found.hdr = ScreenHDR(edid: madeEDID([colorimetry, hdr]))
    found.properties.entries["HDR_OUTPUT_METADATA"] = .init(id: 201, value: 0)
    found.properties.entries["Colorspace"] = .init(
      id: 202, value: 0, choices: ["Default": 0, "BT2020_RGB": 9, "BT2020_YCC": 10])
    found.properties.entries["max bpc"] = .init(id: 203, value: 8, range: 8...12)
    var plane = board.card.planes[1]
    plane.formats.append(.p010)
    plane.properties.entries["COLOR_ENCODING"] = .init(id: 210, value: 0, choices: ["ITU-R BT.2020 YCbCr": 2])
    change(&plane, &found)
    return HDRScreen(found, plane: plane)
  }

  @Test("An HDR film sets ten bits and its colours on the connector, and the old state returns after it")
  func thereAndBack() {
    let screen = screen()
    #expect(screen.transfers == [.pq, .hlg])
    let film = VideoColour(matrix: .bt2020, isFullRange: false, primaries: .bt2020, hdr: .pq, light: light)
    #expect(screen.metadata(for: film) == HDRMetadata(.pq, light))
    #expect(screen.metadata(for: .highDefinition) == nil)
    #expect(screen.change(blob: 77).lines == ["90.#201=77", "90.#202=9", "90.#203=10"])
    #expect(screen.change(blob: nil).lines == ["90.#201=0", "90.#202=0", "90.#203=8"])
  }

  @Test("After a process died in an HDR film, the first frame sets the screen's mode, whatever its colour")
  func takenOver() {
    let film = VideoColour(matrix: .bt2020, isFullRange: false, hdr: .pq, light: light)
    let left = screen { _, connector in connector.properties.entries["HDR_OUTPUT_METADATA"]?.value = 44 }
    #expect(left.isToBeTold(.highDefinition, after: nil))
    #expect(left.isToBeTold(film, after: nil))
    let plain = screen { _, connector in connector.properties.entries["HDR_OUTPUT_METADATA"]?.value = 0 }
    #expect(!plain.isToBeTold(.highDefinition, after: nil))
    #expect(plain.isToBeTold(film, after: nil) && plain.isToBeTold(film, after: .highDefinition))
    #expect(!left.isToBeTold(film, after: film))
  }

  @Test("A modeset switches off HDR that a dead process left on, and changes nothing on an SDR screen")
  func forgotten() throws {
    var board = Board(overlays: 3)
    board.card.connectors[0].properties.entries["HDR_OUTPUT_METADATA"] = .init(id: 201, value: 44)
    board.card.connectors[0].properties.entries["Colorspace"] = .init(
      id: 202, value: 9, choices: ["Default": 0, "BT2020_RGB": 9])
    board.card.connectors[0].properties.entries["max bpc"] = .init(id: 203, value: 10, range: 6...12)
    func lines() throws -> [String] {
      // The plan forgets it too, so that `close` doesn't restore it.
      let plan = try DisplayPlan.choose(card: board.card, request: KMSRequest()).get().withoutLeftColours()
      #expect(plan.restore(board.card, modeBlob: nil).lines.contains("90.#202=0"))
      return plan.modeset(on: board.card, modeBlob: 11, background: 12).lines
    }
    #expect(Set(try lines()).isSuperset(of: ["90.#201=0", "90.#202=0", "90.#203=8"]))
    // The process died between two films: its metadata is gone, its colour space isn't.
    board.card.connectors[0].properties.entries["HDR_OUTPUT_METADATA"]?.value = 0
    #expect(Set(try lines()).isSuperset(of: ["90.#202=0", "90.#203=8"]))
    board.card.connectors[0].properties.entries["Colorspace"]?.value = 0
    #expect(try !lines().contains { $0.contains("#20") })
  }

  @Test("A connector with Y'CbCr only, fewer bits, or without the properties")
  func lesser() {
    let one = screen { _, connector in
      connector.hdr.takesRGB2020 = false
      connector.properties.entries["max bpc"]?.range = 6...8
    }
    #expect(one.change(blob: 77).lines == ["90.#201=77", "90.#202=10", "90.#203=8"])
    let other = screen { _, connector in
      connector.properties.entries["Colorspace"] = nil
      connector.properties.entries["max bpc"] = nil
    }
    #expect(other.change(blob: 77).lines == ["90.#201=77"])
  }

  @Test("A screen, connector or plane without HDR gets films mapped to SDR")
  func unable() {
    let changes: [(inout PlaneSnapshot, inout ConnectorSnapshot) -> Void] = [
      { plane, _ in plane.formats = [.nv12] },
      { plane, _ in plane.properties.entries["COLOR_ENCODING"] = nil },
      { _, connector in connector.hdr = ScreenHDR() },
      { _, connector in connector.properties.entries["HDR_OUTPUT_METADATA"] = nil },
      { _, connector in connector.properties.entries["HDR_OUTPUT_METADATA"]?.isImmutable = true },
    ]
    for change in changes { #expect(screen(change).transfers == []) }
  }

  @Test("The setting decides which HDR curves films keep")
  func setting() {
    #expect(HDRChoice.map.kept(by: [.pq]) == [])
    #expect(HDRChoice.auto.kept(by: [.pq]) == [.pq])
    #expect(HDRChoice.off.kept(by: []) == [.pq, .hlg])
  }

  @Test("White of the overlay becomes diffuse white, and clear pixels stay clear")
  func overlay() {
    let image = OverlayImage(
      frame: PixelRect(x: 0, y: 0, width: 4, height: 1), pixels: [0xFFFF_FFFF, 0x8080_8080, 0, 0xFF00_0000])
    #expect(image.signalled(in: nil).pixels == image.pixels)
    // PQ has 203 cd/m² at 58 %, HLG at 75 %.
    #expect(image.signalled(in: .pq).pixels == [0xFF94_9494, 0x804A_4A4A, 0, 0xFF00_0000])
    #expect(image.signalled(in: .hlg).pixels == [0xFFBF_BFBF, 0x8060_6060, 0, 0xFF00_0000])
  }
}
