import CGStreamer
import CGStreamerShims
import MainLoop

@testable import MediaPipeline

/// Records the frames that pass a pad: the address of their memory, and its kind.
final class PadLog: Sendable {
  struct Frame: Hashable, Sendable {
    /// For a dmabuf the address of its GstMemory, for other memory that of its first byte: equal addresses mean the
    /// same memory while it lives.
    var memory: UInt
    /// The descriptor of a dmabuf; nil for other memory.
    var descriptor: Int32?
    /// In bytes, from the video meta; nil without one.
    var stride: Int32?
  }

  private let found = Locked<[Frame]>([])
  private let onFrame: @Sendable (Int) -> Void

  var frames: [Frame] { found.withLock { $0 } }

  /// - Parameter onFrame: called on the streaming thread with the number of frames, before the frame is passed on.
  init(_ pad: Pad, onFrame: @escaping @Sendable (Int) -> Void = { _ in }) {
    self.onFrame = onFrame
    pad.probe(GST_PAD_PROBE_TYPE_BUFFER) { [self] _, info in
      if let buffer = gst_pad_probe_info_get_buffer(info) { record(buffer) }
    }
  }

  private func record(_ buffer: UnsafeMutablePointer<GstBuffer>) {
    guard let memory = gst_buffer_peek_memory(buffer, 0) else { return }
    let isDMABuf = gst_is_dmabuf_memory(memory) != 0
    var address = UInt(bitPattern: memory)
    var map = GstMapInfo()
    if !isDMABuf, gst_memory_map(memory, &map, GST_MAP_READ) != 0 {
      address = UInt(bitPattern: map.data)
      gst_memory_unmap(memory, &map)
    }
    let count = found.withLock { frames in
      frames.append(
        Frame(
          memory: address, descriptor: isDMABuf ? gst_dmabuf_memory_get_fd(memory) : nil,
          stride: gst_buffer_get_video_meta(buffer)?.pointee.stride.0))
      return frames.count
    }
    onFrame(count)
  }
}

extension Element {
  /// The first element inside, at any depth, of this factory.
  func child(madeBy factory: String) -> Element? {
    guard let iterator = gst_bin_iterate_recurse(vit_bin(pointer)) else { return nil }
    defer { gst_iterator_free(iterator) }
    let box = Unmanaged.passRetained(Search(factory: factory))
    defer { box.release() }
    _ = gst_iterator_foreach(
      iterator,
      { value, data in
        guard let value, let data, let object = g_value_get_object(value) else { return }
        let search = Unmanaged<Search>.fromOpaque(data).takeUnretainedValue()
        let element = Element(sinking: object.assumingMemoryBound(to: GstElement.self))
        if search.found == nil, element.factory == search.factory { search.found = element }
      }, box.toOpaque())
    return box.takeUnretainedValue().found
  }
}

private final class Search {
  let factory: String
  var found: Element?
  init(factory: String) { self.factory = factory }
}
