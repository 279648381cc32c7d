import CGStreamer
import PlaybackCore
import Testing

@testable import MediaPipeline

@Suite("Chapters")
struct ChapterTests {
  private func entry(_ kind: GstTocEntryType, _ name: String, at seconds: Int64? = nil) -> OpaquePointer? {
    let entry = gst_toc_entry_new(kind, name)
    if let seconds { gst_toc_entry_set_start_stop_times(entry, gint64(seconds) * 1_000_000_000, -1) }
    return entry
  }

  @Test("Chapters of an edition are read in order, each once; untimed entries and parts of chapters are left out")
  func starts() throws {
    try GStreamerLibrary.start()
    let toc = try #require(gst_toc_new(GST_TOC_SCOPE_GLOBAL))
    defer { gst_mini_object_unref(UnsafeMutablePointer<GstMiniObject>(toc)) }
    let edition = entry(GST_TOC_ENTRY_TYPE_EDITION, "e")
    for (name, seconds) in [("b", 61), ("a", 0), ("c", 120), ("d", 120)] as [(String, Int64)] {
      let chapter = entry(GST_TOC_ENTRY_TYPE_CHAPTER, name, at: seconds)
      gst_toc_entry_append_sub_entry(chapter, entry(GST_TOC_ENTRY_TYPE_CHAPTER, name + "1", at: seconds + 5))
      gst_toc_entry_append_sub_entry(edition, chapter)
    }
    gst_toc_entry_append_sub_entry(edition, entry(GST_TOC_ENTRY_TYPE_CHAPTER, "untimed"))
    gst_toc_append_entry(toc, edition)
    #expect(Chapters.starts(of: toc) == [.zero, .seconds(61), .seconds(120)])
  }
}
