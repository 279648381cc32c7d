import CGStreamer
import CGStreamerShims
import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

@testable import MediaPipeline

@Suite("The patience of a player's sources")
struct SourceNumbersTests {
  private static let names = ["timeout", "patience", "patience-if-missing"]

  private func numbers(_ element: UnsafeMutablePointer<GstElement>) -> [UInt32] {
    Self.names.map { name in
      var value = GValue()
      g_object_get_property(UnsafeMutableRawPointer(element).assumingMemoryBound(to: GObject.self), name, &value)
      defer { g_value_unset(&value) }
      return g_value_get_uint(&value)
    }
  }

  @Test("What reads a stream's lists and keys, outside of the pipeline, has that of the item's own source")
  func listsAndKeys() async throws {
    let rig = try await Rig()
    let served = try await DripServer.ofMedia()
    let deck = try rig.deck(1, MediaItem(uri: served.uri("h264-aac-640x360-30.mp4"), kind: .progressive))
    defer { deck.drop() }
    _ = try await rig.ready()
    let pipeline = deck.parts.pipeline.pointer
    let source = try #require(vit_get_element(pipeline, "source"))
    defer { gst_object_unref(source) }
    let context = try #require(gst_element_get_context(pipeline, "vitrine-item"))
    defer { gst_mini_object_unref(UnsafeMutableRawPointer(context).assumingMemoryBound(to: GstMiniObject.self)) }
    let list = try Element.make("vitrinehttpsrc")
    list.set("keep-alive", true)
    #expect(numbers(list.pointer) == [0, 0, 0], "of its own it has none")
    gst_element_set_context(list.pointer, context)
    #expect(numbers(list.pointer) == numbers(source) && !numbers(source).contains(0))
    withExtendedLifetime(served) {}
  }
}
