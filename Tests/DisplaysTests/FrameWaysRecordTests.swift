import PlaybackCore
import ScreenModel
import Testing

@testable import Displays

@Suite("Recorded PCs: how a decoder's frames reach the plane, with the alternatives")
struct FrameWaysRecordTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var board: String
    var code = "NV12"
    var film = PixelSize(width: 1920, height: 1080)
    var scales = true
    var ways: [FrameWay]
    var testDescription: String { "\(board), \(code) \(film.width)x\(film.height)\(scales ? "" : ", no scaler")" }
  }

  private static func facts(_ name: String) throws -> (facts: FrameWays.Facts, plan: DisplayPlan) {
    let record = try BoardRecord(name)
    let plan = try DisplayPlan.choose(card: record.card, request: KMSRequest()).get()
    let plane = try #require(record.card.plane(plan.planes.video))
    let va = record.facts.va
    return (
      FrameWays.Facts(
        decoder: Set((va?.decodes ?? ["NV12:0x0100000000000002"]).compactMap { DRMFormat($0) }),
        // A frame that is drawn into is read by the processor.
        screen: plan.planes.overlay == nil ? [] : plane.drmFormats,
        processor: Set((va?.writes ?? ["XR24"]).compactMap { DRMFormat($0) })),
      plan
    )
  }

  @Test(
    "Untouched where the plane reads the decoder's layout, else by the chip, else read back",
    arguments: [
      Case(board: "intel-n100", ways: [.untouched, .processed, .downloaded]),
      Case(board: "intel-n100", code: "P010", ways: [.untouched, .processed, .downloaded]),
      // A plane that doesn't scale: the chip does.
      Case(
        board: "intel-n100", film: PixelSize(width: 1280, height: 720), scales: false, ways: [.processed, .downloaded]),
      Case(board: "intel-kaby-lake", ways: [.untouched, .processed, .downloaded]),
      // Planes of that time have no ten bits: the chip makes eight of them.
      Case(board: "intel-kaby-lake", code: "P010", ways: [.processed, .downloaded]),
      // No plane takes YUV, and the overlay is drawn into each frame.
      Case(board: "intel-broadwell", ways: [.downloaded]),
      Case(board: "amd-raven", ways: [.untouched, .processed, .downloaded]),
      Case(board: "amd-raven", code: "P010", ways: [.untouched, .processed, .downloaded]),
    ])
  func table(_ example: Case) throws {
    let (facts, plan) = try Self.facts(example.board)
    let shape = FrameShape.onPlane(coversScreen: false, scales: example.scales, screen: plan.mode.size)
    let video = VideoFacts(size: PresentationSize(pixels: example.film), isAccepted: true)
    let ways = FrameWays(
      facts, code: example.code, size: example.film,
      treatment: VideoTreatment(video, for: VideoDemand(shape: shape, screen: plan.mode.size)))
    #expect(ways.ways == example.ways)
    #expect(ways.shared.allSatisfy { facts.screen.contains($0) && $0.code == example.code })
  }

  @Test("An N100's planes take its decoders' layout, with and without compression; two of five take no planar YUV")
  func n100() throws {
    let record = try BoardRecord("intel-n100")
    let (tiled, compressed): (UInt64, UInt64) = (0x0100_0000_0000_0002, 0x0100_0000_0000_0007)
    let planar = record.card.planes.filter { $0.drmFormats.contains(DRMFormat(code: "NV12", modifier: tiled)) }
    #expect(planar.map(\.id) == [31, 40, 49])
    #expect(planar.allSatisfy { $0.drmFormats.contains(DRMFormat(code: "P010", modifier: compressed)) })
    #expect(planar.allSatisfy { !$0.drmFormats.contains(DRMFormat(code: "XR24", modifier: compressed)) })
    let plan = try DisplayPlan.choose(card: record.card, request: KMSRequest()).get()
    #expect(plan.planes.videoTakesYUV && plan.planes.overlay != nil, "\(plan.planes)")
  }

  @Test("An AMD plane takes linear and tiled planar YUV, but not compressed")
  func amd() throws {
    let (facts, plan) = try Self.facts("amd-raven")
    #expect(plan.planes.videoTakesYUV && plan.planes.overlay != nil)
    let planar = facts.screen.filter { $0.code == "NV12" }
    #expect(planar.contains(DRMFormat(code: "NV12")) && planar.contains { $0.modifier >> 8 & 0x1F == 9 })
    // Bit 13 says that a frame is compressed.
    #expect(planar.allSatisfy { $0.modifier >> 13 & 1 == 0 })
    #expect(facts.screen.contains { $0.code == "XR24" && $0.modifier >> 13 & 1 == 1 })
  }
}
