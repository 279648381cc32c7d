import PlaybackCore
import Testing

@testable import Displays

@Suite("KMS plan")
struct KMSPlanTests {
  @Test("The lowest overlay plane shows video, the next one our overlay")
  func manyPlanes() throws {
    let plan = try plan(Board(overlays: 8))
    #expect(plan.planes == PlaneRoles(primary: 35, video: 40, overlay: 45, videoTakesYUV: true))
    #expect(plan.connector.name == "HDMI-A-1")
    #expect(plan.crtcID == 80)
    #expect(plan.mode.description == "1280x720@60.00")
    #expect(plan.notes == [])
  }

  @Test("Two overlay planes are enough")
  func twoOverlays() throws {
    #expect(try plan(Board(overlays: 2)).planes.overlay == 45)
  }

  @Test("A single overlay plane goes to the overlay, and the video is on the primary plane")
  func oneOverlay() throws {
    let plan = try plan(Board(overlays: 1))
    #expect(plan.planes == PlaneRoles(primary: 35, video: 35, overlay: 40, videoTakesYUV: true))
    #expect(plan.planes.layout == .videoOnPrimary)
    #expect(plan.notes == [])
  }

  @Test("With a primary plane without YUV, a single overlay plane with YUV shows composed frames")
  func oneOverlayWithoutAlpha() throws {
    var board = Board(overlays: 1)
    board.card.planes[1].formats = [.nv12]
    #expect(try plan(board).planes == PlaneRoles(primary: 35, video: 40, overlay: nil, videoTakesYUV: true))
    // Converting every frame for a plane of its own costs less than covering the screen and drawing into every frame.
    board.card.planes[1].formats = [.nv12, .argb8888]
    board.card.planes[0].formats = [.xrgb8888]
    #expect(try plan(board).planes == PlaneRoles(primary: 35, video: 35, overlay: 40, videoTakesYUV: false))
  }

  @Test("A primary plane alone shows composed frames, and a note says so")
  func primaryOnly() throws {
    let plan = try plan(Board(overlays: 0))
    #expect(plan.planes == PlaneRoles(primary: 35, video: 35, overlay: nil, videoTakesYUV: true))
    #expect(plan.planes.layout == .composed)
    #expect(
      plan.notes == [
        "card0 has no plane above the video: the seek bar and messages are drawn into its frames by the CPU"
      ])
  }

  @Test("A card without a primary plane for the background is 5006")
  func noPrimary() {
    var board = Board(overlays: 2)
    board.card.planes[0].formats = [.nv12]
    #expect(failure(board)?.number == 5006)
    board.card.planes.removeFirst()
    #expect(failure(board)?.number == 5006)
  }

  @Test("Planes without ARGB can't be the overlay")
  func noAlpha() throws {
    var board = Board(overlays: 3)
    board.card.planes[2].formats = [.nv12]
    #expect(try plan(board).planes.overlay == 50)
    board.card.planes[3].formats = [.nv12]
    // Now the only plane with alpha is the lowest: the video has to go below it, on the primary one.
    #expect(try plan(board).planes == PlaneRoles(primary: 35, video: 35, overlay: 40, videoTakesYUV: true))
  }

  @Test("A plane that takes YUV is preferred for video; one without is used with a note")
  func yuv() throws {
    var board = Board(overlays: 3)
    board.card.planes[1].formats = [.xrgb8888, .argb8888]
    #expect(try plan(board).planes == PlaneRoles(primary: 35, video: 45, overlay: 50, videoTakesYUV: true))
    for index in 0...3 { board.card.planes[index].formats = [.xrgb8888, .argb8888] }
    let rgb = try plan(board)
    #expect(rgb.planes.video == 40)
    #expect(rgb.notes.count == 1)
  }

  @Test("Planes lit on another CRTC are left alone; those lit on the display's own are leftovers")
  func planesInUse() throws {
    var board = Board(overlays: 3)
    board.card.planes[1].crtcID = 81
    #expect(try plan(board).planes.video == 45)
    board.card.planes[1].crtcID = 80
    #expect(try plan(board).planes.video == 40)
  }

  @Test("Fixed zpos decides, not the order of the planes")
  func fixedStacking() throws {
    var board = Board(overlays: 2)
    for (index, position) in [0, 7, 3].enumerated() {
      board.card.planes[index].properties.entries["zpos"] = .init(
        id: 9, value: UInt64(position), isImmutable: true, range: 0...8)
    }
    #expect(try plan(board).planes == PlaneRoles(primary: 35, video: 45, overlay: 40, videoTakesYUV: true))
  }

  @Test("Changeable zpos is set, whatever an earlier program left there")
  func changeableStacking() throws {
    var board = Board(overlays: 2)
    for (index, position) in [5, 4, 1].enumerated() {
      board.card.planes[index].properties.entries["zpos"] = .init(id: 9, value: UInt64(position), range: 0...8)
    }
    let planes = try plan(board).planes
    #expect(planes.video == 40)
    #expect(planes.overlay == 45)
    #expect(planes.stacking == [35: 0, 40: 1, 45: 2])
  }

  @Test("The screen's present CRTC is kept, unless another has better planes")
  func crtcs() throws {
    var board = Board(overlays: 2)
    board.card.crtcs = [CRTCSnapshot(id: 80), CRTCSnapshot(id: 81)]
    board.card.connectors[0].possibleCRTCs = 0b11
    board.card.connectors[0].crtcID = 81
    for index in board.card.planes.indices { board.card.planes[index].possibleCRTCs = 0b11 }
    #expect(try plan(board).crtcID == 81)
    board.card.planes[2].possibleCRTCs = 0b01
    #expect(try plan(board).crtcID == 80)
    board.card.connectors[0].possibleCRTCs = 0b10
    #expect(try plan(board).crtcID == 81)
  }

  @Test("A named connector without a screen, or a card without any screen, is 5004")
  func nothingConnected() {
    var board = Board(overlays: 2)
    board.card.connectors[0].status = .disconnected
    #expect(failure(board)?.number == 5004)
    #expect(failure(board)?.message == "no screen is connected (HDMI-A-1)")
    board.request.connector = "HDMI-A-1"
    #expect(failure(board)?.number == 5004)
    board.card.connectors = []
    board.request.connector = "auto"
    #expect(failure(board)?.number == 5004)
  }

  @Test("A wrong connector name lists the right ones")
  func unknownConnector() {
    var board = Board(overlays: 2)
    board.addConnector("DP-1")
    board.request.connector = "HDMI-A-3"
    #expect(failure(board)?.number == 5005)
    #expect(failure(board)?.remedy == "use one of: auto, HDMI-A-1, DP-1")
  }

  @Test("auto takes the first connector with a screen, then one of unknown status; a name takes that connector")
  func severalConnectors() throws {
    var board = Board(overlays: 2)
    board.addConnector("Composite-1", status: .unknown)
    board.addConnector("DP-1")
    #expect(try plan(board).connector.name == "HDMI-A-1")
    board.card.connectors[0].status = .disconnected
    #expect(try plan(board).connector.name == "DP-1")
    board.card.connectors[2].properties.entries["non-desktop"] = .init(id: 3, value: 1)
    #expect(try plan(board).connector.name == "Composite-1")
    board.request.connector = "DP-1"
    #expect(try plan(board).connector.name == "DP-1")
  }

  @Test("Built-in panels come last, or first if the request says so; a name chooses either")
  func builtInPanels() throws {
    var board = Board(overlays: 2)
    board.card.connectors[0].name = "DSI-1"
    board.addConnector("HDMI-A-1")
    var chosen = try plan(board)
    #expect(chosen.connector.name == "HDMI-A-1")
    #expect(chosen.reasons.first == "HDMI-A-1: built-in panels come last")
    board.request.builtInPanels = .first
    chosen = try plan(board)
    #expect(chosen.connector.name == "DSI-1")
    #expect(chosen.reasons.first == "DSI-1: built-in panels come first")
    board.request.connector = "HDMI-A-1"
    #expect(try plan(board).reasons.first == "HDMI-A-1: as asked")
    board.request = KMSRequest()
    board.card.connectors[1].status = .disconnected
    #expect(try plan(board).reasons.first == "DSI-1: the only connector with a screen")
    // A panel that is connected comes before a socket of unknown status.
    board.card.connectors[1].status = .unknown
    #expect(try plan(board).connector.name == "DSI-1")
  }

  @Test("The plan says why")
  func reasons() throws {
    var board = Board(overlays: 2)
    board.addConnector("DP-1")
    #expect(
      try plan(board).reasons == [
        "HDMI-A-1: the first of 2 with a screen", "1280x720@60.00: what the screen prefers",
        "planes: background, video and overlay have a plane each",
      ])
  }

  @Test("A mode that the screen doesn't have becomes the nearest, with a note")
  func nearestMode() throws {
    var board = Board(overlays: 2)
    board.request.mode = .size(PixelSize(width: 1900, height: 1000), refreshMillihertz: nil)
    let plan = try plan(board)
    #expect(plan.mode.description == "1920x1080@60.00")
    #expect(plan.notes == ["HDMI-A-1 has no mode 1900x1000; using 1920x1080@60.00, the nearest of 5"])
  }

  @Test(
    "Modes",
    arguments: [
      ("auto", "1280x720@60.00", true), ("1920x1080", "1920x1080@60.00", true),
      ("1920x1080@50", "1920x1080@50.00", true),
      ("1920x1080@59.94", "1920x1080@60.00", false), ("1920x1080@24", "1920x1080@50.00", false),
      ("640x480@60", "640x480@59.94", true), ("1280x720", "1280x720@60.00", true),
    ])
  func modes(asked: String, expected: String, isExact: Bool) throws {
    let request = try #require(DisplayMode(parsing: asked))
    let choice = try #require(ModeChoice.choose(from: Board.modes, for: request))
    #expect(choice.mode.description == expected)
    #expect(choice.isExact == isExact)
  }

  @Test("A rate that follows the films is chosen among progressive modes of the preferred size")
  func followsFilms() throws {
    var board = Board(overlays: 2)
    #expect(try plan(board).refresh == nil)
    board.request.mode = .match(PixelSize(width: 1920, height: 1080))
    var plan = try plan(board)
    #expect(plan.mode.description == "1920x1080@60.00")
    #expect(plan.refresh == ScreenRefresh(rates: [50_000, 60_000], preferred: 60_000, current: 60_000))
    #expect(
      plan.reasons.last == "films: 23.98 fps at 60.00 Hz (judders), 24.00 at 60.00 (judders), 25.00 at 50.00, "
        + "29.97 at 60.00 (nearly), 30.00 at 60.00, 50.00 at 50.00, 59.94 at 60.00 (nearly), 60.00 at 60.00")
    // A screen that disconnects during a change of mode begins with its rate from before.
    board.request.refreshMillihertz = 50_000
    plan = try self.plan(board)
    #expect(plan.mode.description == "1920x1080@50.00")
    #expect(plan.refresh == ScreenRefresh(rates: [50_000, 60_000], preferred: 60_000, current: 50_000))
    board.request.refreshMillihertz = 24_000
    #expect(try self.plan(board).mode.description == "1920x1080@60.00")
    // Not the interlaced mode of the same rate.
    #expect(plan.mode(refreshMillihertz: 60_000)?.isInterlaced == false)
    #expect(plan.refreshChange(on: board.card, modeBlob: 11).lines == ["80.MODE_ID=11"])
    board.request.mode = .match(nil)
    board.request.refreshMillihertz = nil
    #expect(try self.plan(board).mode.description == "1280x720@60.00")
  }

  private func plan(_ board: Board) throws -> DisplayPlan {
    try DisplayPlan.choose(card: board.card, request: board.request).get()
  }

  private func failure(_ board: Board) -> VitrineError? {
    guard case .failure(let error) = DisplayPlan.choose(card: board.card, request: board.request) else { return nil }
    return error
  }
}
