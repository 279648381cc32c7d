import PlaybackCore
import ScreenModel
import Testing

@testable import Displays

@Suite("Recorded boards: the planned outputs, and the text of `vitrine displays`")
struct BoardRecordTests {
  private static let sand128: UInt64 = 0x0700_0000_0000_0004

  private func plan(_ record: BoardRecord, _ request: KMSRequest = KMSRequest()) throws -> DisplayPlan {
    try DisplayPlan.choose(card: record.card, request: request).get()
  }

  /// The ALSA device for the sound of the plan's screen, without a sound server.
  private func sound(_ record: BoardRecord, _ plan: DisplayPlan) -> String? {
    let hardware = SoundHardware(
      connectors: record.card.connectors.map {
        SoundHardware.Connector(name: $0.name, id: $0.id, isConnected: $0.status == .connected)
      },
      cards: record.facts.sound_cards.map { SoundHardware.Card(id: $0) })
    return hardware.connector(id: plan.connector.id).flatMap { hardware.device(for: $0) }
  }

  @Test("Each record names its source and its additions, and gives a plan")
  func records() throws {
    let names = try BoardRecord.names()
    #expect(
      names == [
        "amd-raven", "intel-broadwell", "intel-kaby-lake", "intel-n100", "raspberry-pi-4", "rk3399-primary",
        "rk3588-vendor",
      ])
    for name in names {
      let record = try BoardRecord(name)
      #expect(!record.facts.sources.isEmpty && !record.facts.completed.isEmpty, "\(name)")
      #expect(record.facts.sources.allSatisfy { $0.hasPrefix("https://") }, "\(name)")
      #expect(record.facts.decoders.allSatisfy { !$0.source.isEmpty && !$0.takes.isEmpty }, "\(name)")
      #expect(!record.card.planes.isEmpty && !record.card.connectors.isEmpty, "\(name)")
      _ = try plan(record)
    }
  }

  @Test("Raspberry Pi 4: 1080p60 of a 4K screen that prefers nothing, three planes, and the sound of its own socket")
  func raspberryPi4() throws {
    let record = try BoardRecord("raspberry-pi-4")
    var request = KMSRequest()
    request.modeLimit = BoardDecoding.Limit(parsing: "1920x1080@60")
    let plan = try plan(record, request)
    #expect(plan.mode.description == "1920x1080@60.00" && plan.connector.name == "HDMI-A-1" && plan.crtcID == 89)
    // Without the profile as well: no mode of this screen has 4K at 50 Hz.
    #expect(try self.plan(record).mode == plan.mode)
    #expect(plan.planes.layout == .separate && plan.planes.videoTakesYUV)
    #expect(plan.planes.primary == 84 && plan.planes.video == 117 && plan.planes.overlay == 127)
    #expect(plan.planes.stacking == [117: 1, 127: 2])
    let video = try #require(record.card.plane(plan.planes.video))
    #expect(video.takesLinear(.nv12) && video.modifiers[.nv12]?.contains(Self.sand128) == true)
    #expect(video.formats.contains(FourCC("P030")) && !video.takesLinear(FourCC("P030")), "ten bits only in columns")
    #expect(video.rotations == [0, 180])
    #expect(sound(record, plan) == "hdmi:CARD=vc4hdmi0,DEV=0")
    let inventory = DisplayInventory(free: [record.card], for: request)
    #expect(inventory.text.contains("* /dev/dri/card1 (vc4, gpu): free"))
    #expect(inventory.text.contains("Chosen (*): /dev/dri/card1 HDMI-A-1 1920x1080@60.00"))
    #expect(inventory.text.contains("* plane 117, overlay: video; scaling not asked, turns 0/180, XR24 AR24"))
    #expect(inventory.text.contains("* plane 84, primary: background"))
  }

  @Test("RK3588 with its maker's kernel: the plane marked as a cursor plane has the overlay")
  func rk3588() throws {
    let record = try BoardRecord("rk3588-vendor")
    let cursor = try #require(record.card.plane(68))
    #expect(cursor.kind == .cursor && cursor.takesDecodedFrames)
    #expect(try #require(record.card.plane(54)).takesDecodedFrames == false, "Cluster planes have no NV12")
    let plan = try plan(record)
    #expect(plan.mode.description == "1920x1080@60.00" && plan.crtcID == 82)
    #expect(plan.planes.layout == .videoOnPrimary && plan.planes.overlay == 68 && !plan.planes.videoTakesYUV)
    #expect(plan.notes.contains { $0.contains("takes none of the formats that decoders give") }, "\(plan.notes)")
    // Two HDMI cards that don't report their screens: neither is certain, and only ALSA's default is left.
    #expect(sound(record, plan) == nil)
    let text = DisplayInventory(free: [record.card], for: KMSRequest()).text
    #expect(text.contains("* plane 68, cursor: overlay"), "\(text)")
    // Without that plane borders and overlay would be drawn into every frame.
    var without = record
    without.card.planes.removeAll { $0.kind == .cursor }
    #expect(try self.plan(without).planes.layout == .composed)
  }

  @Test("Intel of 2015: no plane takes decoders' formats or alpha above video: frames are composed, with a note")
  func broadwell() throws {
    let record = try BoardRecord("intel-broadwell")
    let plan = try plan(record)
    #expect(plan.connector.name == "HDMI-A-1" && plan.crtcID == 60, "a built-in panel comes last")
    #expect(plan.planes.layout == .composed && !plan.planes.videoTakesYUV)
    #expect(plan.notes.count == 2, "\(plan.notes)")
    #expect(sound(record, plan) == "plughw:CARD=HDMI,DEV=0")
    var request = KMSRequest()
    request.builtInPanels = .first
    #expect(try self.plan(record, request).mode.description == "1366x768@59.99")
  }

  @Test("RK3399: NV12 row by row on the first plane, compression for RGB only; 4K unless the profile limits it")
  func rk3399() throws {
    let record = try BoardRecord("rk3399-primary")
    let plane = try #require(record.card.plane(33))
    #expect(plane.takesDecodedFrames && plane.modifiers[.nv12] == [0])
    #expect(plane.modifiers[.xrgb8888] == [0, 0x0800_0000_0000_0051])
    let plan = try plan(record)
    #expect(plan.planes.video == 33 && plan.planes.videoTakesYUV && plan.planes.layout == .composed)
    #expect(plan.mode.description == "3840x2160@60.00")
    #expect(sound(record, plan) == "plughw:CARD=hdmisound,DEV=0")
  }
}
