internal import CGStreamer
internal import CGStreamerShims
internal import FileModel
internal import FileSystem
internal import MainLoop
internal import PlaybackCore

/// Gives the demultiplexer of an MPEG stream with a wrong clock the bytes with the clock set right. See
/// decision 0195.
final class MendedStream: Sendable {
  private let clock: StreamClock
  private let file: OpenFile
  private let size: Int

  /// Fails where the file can't be opened a second time.
  init?(_ clock: StreamClock, _ path: String, size: Int) {
    guard let file = try? OpenFile(reading: FilePath(path)) else { return nil }
    self.clock = clock
    self.file = file
    self.size = size
  }

  func bytes(at place: Int, count: Int) -> [UInt8]? {
    clock.bytes(at: place, count: count, of: size) { place, count in
      guard let bytes = try? file.bytes(at: Int64(place), count: count), bytes.count == count else { return nil }
      return bytes
    }
  }

  /// The demultiplexers of MPEG streams.
  private static let demultiplexers: Set<String> = ["mpegpsdemux", "tsdemux"]

  /// - Parameter film: read when the first buffer comes.
  static func watch(_ pipeline: Element, _ film: Locked<FilmFile>) {
    pipeline.observeParts { element in
      guard demultiplexers.contains(element.factory), let pad = element.staticPad("sink") else { return }
      pad.intercept(GST_PAD_PROBE_TYPE_BUFFER) { info in
        guard let mended = film.withLock({ $0.mended }) else { return GST_PAD_PROBE_REMOVE }
        if let buffer = gst_pad_probe_info_get_buffer(info) { mended.mend(info, buffer) }
        return GST_PAD_PROBE_OK
      }
    }
  }

  private func mend(_ info: UnsafeMutablePointer<GstPadProbeInfo>, _ buffer: UnsafeMutablePointer<GstBuffer>) {
    let count = Int(gst_buffer_get_size(buffer))
    guard let place = Int(exactly: buffer.pointee.offset), clock.isChanged(from: place, count: count),
      let bytes = bytes(at: place, count: count)
    else { return }
    vit_replace_bytes(info, bytes, gsize(bytes.count))
  }
}
