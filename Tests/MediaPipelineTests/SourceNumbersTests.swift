import CGStreamer
import CGStreamerShims
import CElements
import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

@testable import MediaPipeline

@Suite("Time-outs of a player's sources")
struct SourceNumbersTests {
  /// The time-out, in seconds, that a source was given; nil for a source that was given none.
  private func timeout(_ element: UnsafeMutablePointer<GstElement>) -> UInt32? {
    guard let context = gst_element_get_context(element, VIT_SERVERS_CONTEXT) else { return nil }
    defer { vit_context_unref(context) }
    guard let servers = vit_servers_of_context(context) else { return nil }
    defer { vit_servers_unref(servers) }
    return vit_servers_policy(servers).timeout
  }

  @Test("Two decks of one process have their own time-outs, and sources outside of a pipeline ask for theirs")
  func ofDecks() async throws {
    let rig = try await Rig()
    let served = try await DripServer.ofMedia()
    for (number, seconds) in [(1, 3), (2, 5)] as [(UInt32, UInt32)] {
      var source = SourcePolicy()
      source.timeout = .seconds(Int(seconds))
      let deck = try rig.deck(
        number, MediaItem(uri: served.uri("h264-aac-640x360-30.mp4"), kind: .progressive),
        servers: ServerSetup(source: source))
      defer { deck.drop() }
      _ = try await rig.ready()
      let pipeline = deck.parts.pipeline.pointer
      let whole = try #require(vit_get_element(pipeline, "source"))
      defer { gst_object_unref(whole) }
      #expect(timeout(whole) == seconds)
      // The demultiplexers' own downloader asks like this: through an element of the pipeline, whose bins answer.
      let list = try Element.make("vitrinehttpsrc")
      #expect(timeout(list.pointer) == nil)
      let question = gst_message_new_need_context(
        UnsafeMutableRawPointer(list.pointer).assumingMemoryBound(to: GstObject.self), VIT_SERVERS_CONTEXT)
      gst_element_post_message(whole, question)
      #expect(timeout(list.pointer) == seconds)
    }
    withExtendedLifetime(served) {}
  }
}
