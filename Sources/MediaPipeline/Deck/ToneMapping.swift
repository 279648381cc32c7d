internal import CGStreamer
internal import CGStreamerShims
internal import CElements
internal import MainLoop
internal import PlaybackCore

/// The elements that convert HDR frames to SDR.
enum ToneMapping {
  /// A converter, which passes frames through that need no conversion, and the tone-map filter. The frames that come
  /// out are 8-bit BT.709.
  ///
  /// The colours are read from the caps at the filter's input: a converter before it may have changed their matrix.
  ///
  /// - Throws: 7202 where an element is missing.
  static func elements(reduction: Int) throws(VitrineError) -> [Element] {
    let convert = try VideoStages.converter()
    let filter = try Element.make("vitrinetonemap")
    _ = vit_tone_map_set_reduction(filter.pointer, guint(clamping: reduction))
    // Weak: the pad belongs to the filter.
    filter.staticPad("sink")?.observeEvents { [weak filter] event in
      guard let filter, vit_event_type(event) == GST_EVENT_CAPS else { return }
      var caps: UnsafeMutablePointer<GstCaps>?
      gst_event_parse_caps(event, &caps)
      guard let caps, let colour = Caps(borrowing: caps).video?.colour, let table = table(for: colour) else { return }
      _ = vit_tone_map_set_table(
        filter.pointer, table.nodes, guint(ToneMapTable.lumaNodes), guint(ToneMapTable.chromaNodes))
    }
    return [convert, filter]
  }

  /// Films in a row mostly come from one camera or studio: the last table is kept.
  private static let last = Locked<(key: Key, table: ToneMapTable)?>(nil)

  private struct Key: Hashable, Sendable {
    var map: ToneMap
    var matrix: VideoColour.Matrix
  }

  private static func table(for colour: VideoColour) -> ToneMapTable? {
    guard let map = colour.toneMap else { return nil }
    let key = Key(map: map, matrix: colour.matrix)
    if let (known, table) = last.withLock(\.self), known == key { return table }
    let table = ToneMapTable(map, matrix: colour.matrix)
    last.withLock { $0 = (key, table) }
    return table
  }
}
