import InteractionCore
import PlaybackCore
import Testing

@testable import Displays

@Suite("KMS changes")
struct KMSChangeTests {
  @Test("The modeset shows the background and switches off an earlier program's planes")
  func modeset() throws {
    var board = Board(overlays: 3)
    board.addConnector("DP-1")
    board.card.connectors[1].crtcID = 80
    board.card.planes[3].crtcID = 80
    board.card.planes[3].framebufferID = 7
    let plan = try plan(board)
    let change = plan.modeset(on: board.card, modeBlob: 11, background: 12)
    #expect(change.missing == [])
    #expect(
      change.lines == [
        "90.CRTC_ID=80", "91.CRTC_ID=0", "80.MODE_ID=11", "80.ACTIVE=1", "35.FB_ID=12", "35.CRTC_ID=80", "35.SRC_X=0",
        "35.SRC_Y=0", "35.SRC_W=\(1280 << 16)", "35.SRC_H=\(720 << 16)", "35.CRTC_X=0", "35.CRTC_Y=0",
        "35.CRTC_W=1280", "35.CRTC_H=720", "50.FB_ID=0", "50.CRTC_ID=0",
      ])
  }

  @Test("A CRTC that loses its only connector is switched off with its planes")
  func abandonedCRTC() throws {
    var board = Board(overlays: 3)
    var other = board.card.crtcs[0]
    other.id = 81
    other.properties.objectID = 81
    board.card.crtcs.append(other)
    board.card.connectors[0].crtcID = 81
    board.card.planes[3].crtcID = 81
    let lines = try plan(board).modeset(on: board.card, modeBlob: 11, background: 12).lines
    #expect(lines.contains("81.ACTIVE=0"))
    #expect(lines.contains("81.MODE_ID=0"))
    #expect(lines.contains("50.FB_ID=0"))
    #expect(lines.contains("80.ACTIVE=1"))
  }

  @Test("Stacking, rotation and alpha are set where the driver has them")
  func plane() throws {
    var plane = Board(overlays: 1).card.planes[1]
    plane.properties.entries["zpos"] = .init(id: 101, value: 9, range: 0...20)
    plane.properties.entries["rotation"] = .init(id: 102, value: 4)
    plane.properties.entries["alpha"] = .init(id: 103, value: 0, range: 0...65535)
    plane.properties.entries["pixel blend mode"] = .init(
      id: 104, value: 0, choices: ["None": 2, "Pre-multiplied": 0, "Coverage": 1])
    var change = AtomicChange()
    change.light(
      plane, crtc: 80, framebuffer: 5, source: PixelSize(width: 10, height: 20),
      on: PixelRect(x: -3, y: 4, width: 10, height: 20), zpos: 2)
    #expect(change.lines.contains("40.CRTC_X=-3"))
    #expect(Array(change.lines.suffix(4)) == ["40.#101=2", "40.#102=1", "40.#103=65535", "40.#104=0"])
  }

  @Test("The modeset prepares the video plane for a sink that only sets its place")
  func videoPlane() throws {
    var board = Board(overlays: 2)
    for index in board.card.planes.indices {
      board.card.planes[index].properties.entries["zpos"] = .init(id: 101, value: 5, range: 0...20)
    }
    board.card.planes[1].properties.entries["COLOR_RANGE"] = .init(
      id: 102, value: 1, choices: ["YCbCr limited range": 0, "YCbCr full range": 1])
    board.card.planes[1].properties.entries["COLOR_ENCODING"] = .init(
      id: 103, value: 0, choices: ["ITU-R BT.601 YCbCr": 0, "ITU-R BT.709 YCbCr": 1])
    let lines = try plan(board).modeset(on: board.card, modeBlob: 11, background: 12).lines
    #expect(lines.contains("35.#101=0"))
    #expect(Array(lines.suffix(3)) == ["40.#101=1", "40.#103=1", "40.#102=0"])
  }

  @Test("A change of a missing property can't be committed")
  func missing() {
    var change = AtomicChange()
    change.set("FB_ID", of: ObjectProperties(objectID: 1), to: 1)
    change.setIfPresent("alpha", of: ObjectProperties(objectID: 1), to: 1)
    #expect(change.missing == ["FB_ID"])
    #expect(change.assignments == [])
  }

  @Test("At the end a screen that was off goes off again")
  func off() throws {
    let board = Board(overlays: 2)
    #expect(
      try plan(board).restore(board.card, modeBlob: nil).lines == [
        "45.FB_ID=0", "45.CRTC_ID=0", "40.FB_ID=0", "40.CRTC_ID=0", "35.FB_ID=0", "35.CRTC_ID=0", "90.CRTC_ID=0",
        "80.MODE_ID=0", "80.ACTIVE=0",
      ])
  }

  @Test("At the end the picture from before comes back, on all its connectors")
  func back() throws {
    var board = Board(overlays: 1)
    board.addConnector("DP-1")
    for index in 0...1 { board.card.connectors[index].crtcID = 80 }
    board.card.planes[0].crtcID = 80
    board.card.planes[0].framebufferID = 7
    for (name, value) in [("CRTC_ID", 80), ("SRC_W", 640 << 16), ("CRTC_W", 640)] {
      board.card.planes[0].properties.entries[name]?.value = UInt64(value)
    }
    #expect(
      try plan(board).restore(board.card, modeBlob: 13).lines == [
        "40.FB_ID=0", "40.CRTC_ID=0", "90.CRTC_ID=80", "91.CRTC_ID=80", "80.MODE_ID=13", "80.ACTIVE=1", "35.FB_ID=7",
        "35.CRTC_ID=80", "35.SRC_X=0", "35.SRC_Y=0", "35.SRC_W=\(640 << 16)", "35.SRC_H=0", "35.CRTC_X=0",
        "35.CRTC_Y=0", "35.CRTC_W=640", "35.CRTC_H=0",
      ])
  }

  @Test("Other programs' planes and the connector's old CRTC come back too; of two values the later holds")
  func everythingBack() throws {
    var board = Board(overlays: 2)
    board.card.crtcs.append(CRTCSnapshot(id: 81, mode: Board.modes[0], properties: board.card.crtcs[0].properties))
    board.card.crtcs[1].properties.objectID = 81
    board.card.connectors[0].crtcID = 81
    // Of the other CRTC only.
    var other = board.card.planes[0]
    other.id = 50
    other.properties.objectID = 50
    (other.possibleCRTCs, other.crtcID, other.framebufferID) = (2, 81, 9)
    board.card.planes.append(other)
    let plan = try plan(board)
    #expect(plan.crtcID == 80 && plan.abandonedCRTC(on: board.card)?.id == 81)
    let lines = plan.restoreAll(board.card, modeBlob: nil, otherBlob: 14).lines
    #expect(lines.contains("81.MODE_ID=14") && lines.contains("81.ACTIVE=1") && lines.contains("50.FB_ID=9"))
    #expect(lines.contains("80.ACTIVE=0"))
    #expect(lines.last { $0.hasPrefix("90.CRTC_ID") } == "90.CRTC_ID=81")

    board.card.connectors[0].crtcID = 80
    for index in [0, 2] { (board.card.planes[index].crtcID, board.card.planes[index].framebufferID) = (80, 7) }
    let same = try self.plan(board).restoreAll(board.card, modeBlob: 13, otherBlob: nil).lines
    #expect(same.last { $0.hasPrefix("45.FB_ID") } == "45.FB_ID=7" && !same.contains("50.FB_ID=9"))
    #expect(same.last { $0.hasPrefix("40.FB_ID") } == "40.FB_ID=0")
  }

  @Test("Properties that an object keeps while it is off get their old values back")
  func putBack() throws {
    var board = Board(overlays: 2)
    board.card.crtcs[0].properties.entries["BACKGROUND_COLOR"] = .init(id: 101, value: 5)
    for index in 0...2 {
      board.card.planes[index].properties.entries["rotation"] = .init(id: 102, value: 4)
      board.card.planes[index].properties.entries["zpos"] = .init(id: 103, value: UInt64(index), isImmutable: true)
    }
    let lines = try plan(board).restore(board.card, modeBlob: nil).lines
    #expect(lines.filter { $0.contains("#") } == ["45.#102=4", "40.#102=4", "35.#102=4", "80.#101=5"])
  }

  @Test("The colour behind all planes is the background's, where the driver has one")
  func colourBehind() throws {
    var board = Board(overlays: 1)
    board.card.crtcs[0].properties.entries["BACKGROUND_COLOR"] = .init(id: 101, value: 0)
    let change = try plan(board).modeset(on: board.card, modeBlob: 11, background: 12, colour: 0x20_4080)
    #expect(change.lines.contains("80.#101=\(Int64(bitPattern: 0xFFFF_2020_4040_8080))"))
  }

  @Test("A primary plane for the video first shows the background, and reads it in the video's range")
  func videoOnPrimary() throws {
    var board = Board(overlays: 1)
    board.card.planes[0].properties.entries["COLOR_RANGE"] = .init(
      id: 102, value: 1, choices: ["YCbCr limited range": 0, "YCbCr full range": 1])
    let plan = try plan(board)
    let lines = plan.modeset(on: board.card, modeBlob: 11, background: 12).lines
    #expect(lines.contains("35.FB_ID=12") && lines.contains("35.#102=0"))
    #expect(plan.restore(board.card, modeBlob: nil).lines.filter { $0.hasPrefix("35.FB_ID") } == ["35.FB_ID=0"])
  }

  @Test("The overlay is drawn over the background, clipped to the screen")
  func blend() {
    var pixels: [UInt32] = Array(repeating: 0x0040_4040, count: 4)
    let image = OverlayImage(
      frame: PixelRect(x: -1, y: 0, width: 3, height: 2),
      pixels: [0xFFFF_FFFF, 0xFF10_2030, 0x8080_0000, 0xFFFF_FFFF, 0, 0x0000_0000])
    Background.blend(image, over: &pixels, width: 2, height: 2)
    #expect(pixels == [0x0010_2030, 0x00A0_2020, 0x0040_4040, 0x0040_4040])
    let before = pixels
    for x in [-3, 2, 5] {
      Background.blend(
        OverlayImage(frame: PixelRect(x: x, y: -9, width: 3, height: 2), pixels: image.pixels), over: &pixels, width: 2,
        height: 2)
    }
    #expect(pixels == before)
  }

  @Test("The master is found in debugfs' table, blanks in its name included")
  func master() {
    let text = """
                   command  tgid dev master a   uid      magic     name    id
                      Xorg   700   0   n    y     0          0  <unset>     1
          my odd compositor   812   0   y    y     0          0  <unset>     2
      """
    #expect(CardHolder.master(inClients: text) == CardHolder(pid: 812, name: "my odd compositor"))
    #expect(CardHolder.master(inClients: "command tgid dev master a\n") == nil)
  }

  private func plan(_ board: Board) throws -> DisplayPlan {
    try DisplayPlan.choose(card: board.card, request: board.request).get()
  }
}
