import KioskTestSupport
import PlaybackCore
import Testing

@testable import MediaPipeline

@Suite("A live source, a real sender", .serialized)
struct LiveTests {
  @Test("A stream over UDP is recognised as live before its first frame, plays, and can't be sought")
  func live() async throws {
    let sender = try LiveSender()
    let rig = try await Rig()
    let item = MediaItem(uri: sender.uri, kind: .udp)
    let deck = try rig.deck(1, item)
    let readiness = try await rig.ready()
    #expect(readiness.isLive && !readiness.isSeekable && !readiness.canPlayReverse && readiness.duration == nil)
    #expect(SourceKind(item, readiness) == .live)
    deck.play(base: rig.now)
    var last = Duration.zero
    for _ in 0..<20 {
      // A live source reports neither buffering nor ranges.
      let frame = try await rig.next { event -> RenderedFrame? in
        switch event {
        case .output(.frame(let frame)): return frame
        case .deck(_, .buffering), .deck(_, .ranges), .deck(_, .failed):
          Issue.record("\(event)")
          return nil
        default: return nil
        }
      }
      #expect(frame.wasRendered && frame.streamTime >= last)
      last = frame.streamTime
    }
    deck.drop()
    withExtendedLifetime(sender) {}
  }
}
