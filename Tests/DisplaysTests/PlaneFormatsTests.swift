import PlaybackCore
import Testing

@testable import Displays

@Suite("Formats and layouts of memory that a plane takes")
struct PlaneFormatsTests {
  /// An IN_FORMATS blob as the kernel writes it.
  private func blob(_ formats: [FourCC], _ modifiers: [(UInt64, of: [FourCC])]) -> [UInt8] {
    func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
      (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
    let place = 24 + (formats.count * 4 + 7) / 8 * 8
    var blob = [UInt32(1), 0, UInt32(formats.count), 24, UInt32(modifiers.count), UInt32(place)].flatMap(bytes)
    blob += formats.flatMap { bytes($0.rawValue) }
    blob += [UInt8](repeating: 0, count: place - blob.count)
    for (modifier, members) in modifiers {
      // A mask of 64 formats may begin at any format.
      let first = formats.firstIndex { members.contains($0) } ?? 0
      var mask: UInt64 = 0
      for (index, format) in formats.enumerated() where members.contains(format) { mask |= 1 << UInt64(index - first) }
      blob += bytes(mask) + bytes(UInt32(first)) + bytes(UInt32(0)) + bytes(modifier)
    }
    return blob
  }

  private static let sand128: UInt64 = 0x0700_0000_0000_0004
  private static let afbc: UInt64 = 0x0800_0000_0000_0041

  @Test("The blob is read, masks that begin later included")
  func read() {
    let formats: [FourCC] = [.xrgb8888, .argb8888, .nv12, .yuyv]
    let found = PlaneFormats.modifiers(
      blob(formats, [(0, of: [.xrgb8888, .nv12]), (Self.sand128, of: [.nv12]), (Self.afbc, of: [.yuyv])]))
    #expect(found[.nv12] == [0, Self.sand128])
    #expect(found[.xrgb8888] == [0] && found[.yuyv] == [Self.afbc] && found[.argb8888] == nil)
  }

  @Test("Damaged bytes are never read beyond their end")
  func damaged() {
    let whole = blob([.nv12, .yuyv], [(0, of: [.nv12]), (Self.afbc, of: [.yuyv])])
    for length in 0..<whole.count { _ = PlaneFormats.modifiers(Array(whole.prefix(length))) }
    for place in 0..<whole.count {
      for value in [UInt8(0), 1, 0x7F, 0x80, 0xFF] {
        var bytes = whole
        bytes[place] = value
        _ = PlaneFormats.modifiers(bytes)
      }
    }
    #expect(PlaneFormats.modifiers([UInt8](repeating: 0xFF, count: 64)).isEmpty)
  }

  /// Taken from the driver's source (VOP2 of mainline Linux, docs/hardware.md), not recorded. Planes are in the
  /// kernel's order; Cluster planes take YUYV only compressed and no linear NV12, Esmart planes take all of it.
  private func rk3588() -> Board {
    var board = Board(overlays: 3)
    for index in 1...2 {
      board.card.planes[index].formats = [.argb8888, .xrgb8888, .yuyv, .nv12]
      board.card.planes[index].modifiers = [.argb8888: [0], .xrgb8888: [0], .yuyv: [Self.afbc], .nv12: [Self.afbc]]
    }
    board.card.planes[3].formats = [.argb8888, .xrgb8888, .nv12, .yuyv]
    board.card.planes[3].modifiers = [.argb8888: [0], .xrgb8888: [0], .nv12: [0], .yuyv: [0]]
    return board
  }

  @Test("A plane that takes YUV only compressed isn't used for video; one that takes linear NV12 is")
  func clusters() throws {
    var board = rk3588()
    // The primary one takes NV12 as well, and an overlay above it is at hand.
    let plan = try DisplayPlan.choose(card: board.card, request: board.request).get()
    #expect(plan.planes.videoTakesYUV && plan.planes.video == 35)
    // With an overlay plane above it, the third plane has a layer to itself.
    board.card.planes.append(board.card.planes[1])
    board.card.planes[4].id = 60
    #expect(try DisplayPlan.choose(card: board.card, request: board.request).get().planes.video == 50)
    #expect(try DisplayPlan.choose(card: board.card, request: board.request).get().planes.layout == .separate)
  }

  @Test("Formats that decoders don't give count as a conversion")
  func packed() throws {
    var board = Board(overlays: 3)
    board.card.planes[1].formats = [.yuyv, .argb8888]
    #expect(try DisplayPlan.choose(card: board.card, request: board.request).get().planes.video == 45)
  }

  private func mode(_ width: Int, _ height: Int, _ rate: Int, isPreferred: Bool = false, isInterlaced: Bool = false)
    -> ModeSnapshot
  {
    ModeSnapshot(
      size: PixelSize(width: width, height: height), refreshMillihertz: rate, isPreferred: isPreferred,
      isInterlaced: isInterlaced)
  }

  @Test("Without a preferred mode: progressive at 50 Hz and more before pixels, then the rate nearest to 60")
  func modes() throws {
    let all = [
      mode(3840, 2160, 30_000), mode(1920, 1080, 60_000, isInterlaced: true), mode(1920, 1080, 50_000),
      mode(1920, 1080, 59_940), mode(1280, 720, 60_000),
    ]
    #expect(ModeChoice.choose(from: all, for: .auto)?.mode == all[3])
    #expect(ModeChoice.choose(from: Array(all.prefix(2)), for: .auto)?.mode == all[0])
    #expect(ModeChoice.choose(from: [], for: .auto) == nil)
  }

  @Test("A preferred mode beyond the board's limit isn't chosen; a named one is")
  func limit() throws {
    let all = [mode(3840, 2160, 60_000, isPreferred: true), mode(3840, 2160, 30_000), mode(1920, 1080, 59_940)]
    let limit = try #require(BoardDecoding.Limit(parsing: "1920x1080@60"))
    let choice = try #require(ModeChoice.choose(from: all, for: .auto, limit: limit))
    #expect(choice.mode == all[2] && choice.reason(for: .auto).contains("more than the board keeps up"))
    #expect(ModeChoice.choose(from: all, for: .auto)?.mode == all[0])
    #expect(ModeChoice.choose(from: Array(all.prefix(2)), for: .auto, limit: limit)?.mode == all[0])
    let named = DisplayMode.size(PixelSize(width: 3840, height: 2160), refreshMillihertz: nil)
    #expect(ModeChoice.choose(from: all, for: named, limit: limit)?.mode.size.width == 3840)
    // By request: through the plan.
    var board = Board(overlays: 2)
    board.card.connectors[0].modes = all
    board.request.modeLimit = limit
    #expect(try DisplayPlan.choose(card: board.card, request: board.request).get().mode == all[2])
  }
}
