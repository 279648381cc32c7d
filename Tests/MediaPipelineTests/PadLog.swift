import CGStreamer
import CGStreamerShims
import MainLoop

@testable import MediaPipeline

/// What passes a pad, frame by frame: where its memory lies, and of what kind that is.
final class PadLog: Sendable {
  struct Frame: Hashable, Sendable {
    /// The GstMemory's address of a dmabuf, the first byte's of other memory: the same one is the same memory, as long as it
    /// lives.
    var memory: UInt
    /// Of a dmabuf; nil for other memory.
    var descriptor: Int32?
    /// In bytes, as the video meta tells it; nil without one.
    var stride: Int32?
  }

  private let found = Locked<[Frame]>([])
  private let onFrame: @Sendable (Int) -> Void

  var frames: [Frame] { found.withLock { $0 } }

  /// - Parameter onFrame: called on the streaming thread with the count of frames, before the frame goes on.
  init(_ pad: Pad, onFrame: @escaping @Sendable (Int) -> Void = { _ in }) {
    self.onFrame = onFrame
    pad.probe(GST_PAD_PROBE_TYPE_BUFFER) { [self] _, info in
      if let buffer = gst_pad_probe_info_get_buffer(info) { note(buffer) }
    }
  }

  private func note(_ buffer: UnsafeMutablePointer<GstBuffer>) {
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
  /// The first element inside, at any depth, that the factory has made.
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
