import CGStreamer
import CGStreamerShims
import MainLoop
import Testing

@testable import MediaPipeline

@Suite("PCM in MP4 by the names of ISO")
struct PCMInMP4Tests {
  /// A pad that bytes are pushed through, with one change to them; records the result.
  private final class Door {
    private let element: Element
    let pad: Pad
    private let out = Locked<[UInt8]>([])

    init(_ change: @escaping @Sendable (UnsafeMutablePointer<GstPadProbeInfo>, UInt) -> Void) throws {
      try GStreamerLibrary.start()
      element = try Element.make("identity")
      pad = try #require(element.staticPad("sink"))
      let (out, address) = (out, UInt(bitPattern: pad.pointer))
      pad.intercept(GST_PAD_PROBE_TYPE_BUFFER) { info in
        change(info, address)
        guard let buffer = gst_pad_probe_info_get_buffer(info) else { return GST_PAD_PROBE_OK }
        var bytes = [UInt8](repeating: 0, count: Int(gst_buffer_get_size(buffer)))
        gst_buffer_extract(buffer, 0, &bytes, gsize(bytes.count))
        out.withLock { $0 = bytes }
        return GST_PAD_PROBE_DROP
      }
      _ = element.setState(GST_STATE_PLAYING)
      gst_pad_send_event(pad.pointer, gst_event_new_stream_start("a"))
    }

    func begin(_ caps: Caps) {
      gst_pad_send_event(pad.pointer, gst_event_new_caps(caps.pointer))
      gst_pad_send_event(pad.pointer, StreamSegment().event())
    }

    deinit { _ = element.setState(GST_STATE_NULL) }

    func push(_ bytes: [UInt8]) throws -> [UInt8] {
      let buffer = try #require(gst_buffer_new_allocate(nil, gsize(bytes.count), nil))
      gst_buffer_fill(buffer, 0, bytes, gsize(bytes.count))
      _ = gst_pad_chain(pad.pointer, buffer)
      return out.withLock { $0 }
    }
  }

  /// A film's header with the description of a sound.
  private func header(_ name: String, bits: UInt8, isLittle: Bool, box: String = "pcmC") -> [UInt8] {
    let entry: [UInt8] =
      [0, 0, 0, 50] + Array(name.utf8) + [UInt8](repeating: 0, count: 28) + [0, 0, 0, 14] + Array(box.utf8)
      + [0, 0, 0, 0, isLittle ? 1 : 0, bits]
    return [0, 0, 1, 0] + Array("moov".utf8) + [UInt8](repeating: 7, count: 100) + entry
      + [UInt8](repeating: 7, count: 20)
  }

  @Test(
    "Each PCM format gets its QuickTime name, and samples are swapped where that name means the other byte order",
    arguments: [
      ("ipcm", 16, true, "sowt", false), ("ipcm", 16, false, "twos", false), ("ipcm", 24, true, "in24", true),
      ("ipcm", 24, false, "in24", false), ("ipcm", 32, true, "in32", true), ("fpcm", 32, true, "fl32", true),
      ("fpcm", 64, false, "fl64", false),
    ] as [(String, UInt8, Bool, String, Bool)])
  func named(name: String, bits: UInt8, isLittle: Bool, wanted: String, isSwapped: Bool) throws {
    let swaps = Locked(false)
    let door = try Door { info, _ in
      var swapped: gboolean = 0
      _ = vit_name_pcm(info, &swapped)
      swaps.withLock { $0 = swapped != 0 }
    }
    door.begin(try #require(Caps("video/quicktime")))
    let before = header(name, bits: bits, isLittle: isLittle)
    var after = before
    after.replaceSubrange(112..<116, with: Array(wanted.utf8))
    #expect(try door.push(before) == after)
    #expect(swaps.withLock { $0 } == isSwapped)
    for odd in [header(name, bits: 20, isLittle: true), header(name, bits: bits, isLittle: isLittle, box: "chnl")] {
      #expect(try door.push(odd) == odd)
    }
    for count in [0, 1, 8, 49, 120, 150] { #expect(try door.push(Array(before.prefix(count))).count == count) }
  }

  @Test("The header is searched as a whole even when its first bytes come alone")
  func headFirst() throws {
    let found = Locked<[Bool]>([])
    let door = try Door { info, _ in
      var swapped: gboolean = 0
      let isFound = vit_name_pcm(info, &swapped) != 0
      found.withLock { $0.append(isFound) }
    }
    door.begin(try #require(Caps("video/quicktime")))
    let whole = header("ipcm", bits: 16, isLittle: true)
    _ = try door.push(Array(whole.prefix(16)))
    _ = try door.push(whole)
    #expect(found.withLock { $0 } == [false, true])
  }

  @Test(
    "Big-endian samples are swapped by their width; others stay",
    arguments: [("S24BE", 3), ("F32BE", 4), ("F64BE", 8), ("S16LE", 1)])
  func turned(format: String, width: Int) throws {
    let door = try Door { info, address in
      if let pad = UnsafeMutablePointer<GstPad>(bitPattern: address) { vit_swap_samples(info, pad) }
    }
    let caps = try #require(Caps("audio/x-raw,format=\(format),rate=48000,channels=2,layout=interleaved"))
    door.begin(caps)
    let bytes = (0..<UInt8(width * 2)).map { $0 }
    #expect(try door.push(bytes) == Array(bytes[..<width].reversed() + bytes[width...].reversed()))
  }
}
