import CGStreamer
import CGStreamerShims
import CElements
import PlaybackCore
import Testing

@testable import MediaPipeline

/// Compares the filter in C with the same arithmetic in a few plain lines, pixel by pixel.
@Suite("HDR to SDR: the filter", .serialized)
struct ToneMapFilterTests {
  /// The memory layout of a format.
  struct Layout: Sendable, CustomTestStringConvertible {
    var name: String
    var bits = 10
    var shift = 0
    /// Pixels that share a pair of chroma samples, across and down.
    var across = 2
    var down = 2
    var isSemiPlanar = false
    var testDescription: String { name }

    var bytes: Int { bits > 8 ? 2 : 1 }
  }

  static let layouts = [
    Layout(name: "I420_10LE"), Layout(name: "P010_10LE", shift: 6, isSemiPlanar: true),
    Layout(name: "I420_12LE", bits: 12), Layout(name: "I422_10LE", down: 1),
    Layout(name: "Y444_10LE", across: 1, down: 1), Layout(name: "I420", bits: 8),
    Layout(name: "NV12", bits: 8, isSemiPlanar: true),
  ]

  /// Even and odd sizes, one pixel, and one size that several threads share.
  @Test("Every format, odd sizes, and half the size", arguments: layouts, [1, 2])
  func pixels(layout: Layout, reduction: Int) throws {
    for (width, height) in [(64, 36), (37, 19), (1, 1), (2, 3), (330, 242)] {
      for output in ["I420", "NV12"] {
        // The large size only once for each format.
        if width > 300, output == "NV12" || layout.bits != 10 { continue }
        try compare(layout, width, height, reduction, output)
      }
    }
  }

  @Test("The colours and light levels of the source aren't in the output's caps")
  func caps() throws {
    let filter = try filter(reduction: 1)
    let caps = try #require(
      Caps(
        "video/x-raw,format=I420_10LE,width=16,height=8,framerate=25/1,colorimetry=bt2100-pq"
          + ",content-light-level=(string)1000:400"))
    let out = try pass(Picture(Self.layouts[0], 16, 8), caps, through: filter, to: "NV12").caps
    #expect(out.text.contains("colorimetry=(string)bt709") && !out.text.contains("content-light"), "\(out.text)")
    #expect(out.video?.colour == .highDefinition)
  }

  @Test("Invalid tables are refused")
  func refused() throws {
    try GStreamerLibrary.start()
    let filter = try Element.make("vitrinetonemap")
    let nodes = [Float](repeating: 0, count: 3 * 3 * 2 * 4)
    for (luma, chroma) in [(1, 3), (2, 1), (2, 4), (130, 3), (2, 131)] {
      #expect(vit_tone_map_set_table(filter.pointer, nodes, guint(luma), guint(chroma)) == 0)
    }
    let other = try Element.make("identity")
    #expect(vit_tone_map_set_table(other.pointer, nodes, 2, 3) == 0)
    #expect(vit_tone_map_set_table(filter.pointer, nodes, 2, 3) != 0)
    #expect(vit_tone_map_set_reduction(filter.pointer, 0) == 0 && vit_tone_map_set_reduction(filter.pointer, 3) == 0)
    #expect(vit_tone_map_set_reduction(other.pointer, 1) == 0)
  }

  // MARK: The same in plain lines

  private static let table = ToneMapTable(
    ToneMap(transfer: .pq, primaries: .bt2020, sourcePeak: 1000), matrix: .bt2020)

  private static func mapped(y: Double, cb: Double, cr: Double) -> [Double] {
    func place(_ position: Double, _ nodes: Int) -> (Int, Double) {
      let inside = min(Double(nodes - 1), max(0, position))
      let index = min(nodes - 2, Int(inside))
      return (index, inside - Double(index))
    }
    func chroma(_ value: Double) -> (Int, Double) {
      place(16 + 16 * (2 * value.magnitude).squareRoot() * (value < 0 ? -1 : 1), ToneMapTable.chromaNodes)
    }
    let (b, r, l) = (chroma(cb), chroma(cr), place(y * 32, ToneMapTable.lumaNodes))
    var sum = [0.0, 0, 0]
    for corner in 0..<8 {
      let (i, j, k) = (corner & 1, corner >> 1 & 1, corner >> 2)
      let weight = (i == 1 ? b.1 : 1 - b.1) * (j == 1 ? r.1 : 1 - r.1) * (k == 1 ? l.1 : 1 - l.1)
      let node = ((b.0 + i) * ToneMapTable.chromaNodes + r.0 + j) * ToneMapTable.lumaNodes + l.0 + k
      for lane in 0..<3 { sum[lane] += weight * Double(table.nodes[node * 4 + lane]) }
    }
    return sum
  }

  /// A picture whose codes cover the whole range, also beyond the nominal limits.
  private struct Picture {
    var layout: Layout
    var width: Int
    var height: Int

    init(_ layout: Layout, _ width: Int, _ height: Int) {
      (self.layout, self.width, self.height) = (layout, width, height)
    }

    var chromaWidth: Int { (width + layout.across - 1) / layout.across }
    var chromaHeight: Int { (height + layout.down - 1) / layout.down }

    func code(_ component: Int, _ x: Int, _ y: Int) -> Int {
      let (width, height) = component == 0 ? (width, height) : (chromaWidth, chromaHeight)
      let (x, y) = (min(x, width - 1), min(y, height - 1))
      return (x * (31 + component * 8) + y * (57 - component * 14) + component * 300) % (1 << layout.bits)
    }

    /// The mean of a block of samples.
    func mean(_ component: Int, _ x: Int, _ y: Int, across: Int, down: Int) -> Double {
      var sum = 0
      for j in 0..<down { for i in 0..<across { sum += code(component, x * across + i, y * down + j) } }
      return Double((sum + across * down / 2) / (across * down))
    }
  }

  private func compare(_ layout: Layout, _ width: Int, _ height: Int, _ reduction: Int, _ output: String) throws {
    let picture = Picture(layout, width, height)
    let filter = try filter(reduction: reduction)
    let caps = try #require(
      Caps(
        "video/x-raw,format=\(layout.name),width=\(width),height=\(height),framerate=25/1,colorimetry=bt2100-pq"))
    let out = try pass(picture, caps, through: filter, to: output)
    let size = try #require(out.caps.video?.size.pixels)
    let label: Comment = "\(layout.name) \(width)x\(height) / \(reduction) to \(output)"
    try #require(size.width == max(1, width / reduction) && size.height == max(1, height / reduction), label)

    let unit = Double(1 << (layout.bits - 8))
    let (fx, fy) = (2 / layout.across * reduction, 2 / layout.down * reduction)
    func colour(_ x: Int, _ y: Int) -> [Double] {
      let luma = picture.mean(0, x, y, across: reduction, down: reduction)
      let cb = picture.mean(1, x / 2, y / 2, across: fx, down: fy)
      let cr = picture.mean(2, x / 2, y / 2, across: fx, down: fy)
      return Self.mapped(
        y: (luma - 16 * unit) / (219 * unit), cb: (cb - 128 * unit) / (224 * unit), cr: (cr - 128 * unit) / (224 * unit)
      )
    }
    // The filter dithers instead of rounding: a code is right when it is less than 1 away from the exact number.
    var (worst, sum) = (0.0, 0.0)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let difference = Double(out.sample(0, x, y)) - colour(x, y)[0]
        worst = max(worst, abs(difference))
        sum += difference
      }
    }
    // Whole blocks only: at odd edges it doesn't matter which pixels count.
    for y in 0..<size.height / 2 {
      for x in 0..<size.width / 2 {
        let block = [
          colour(2 * x, 2 * y), colour(2 * x + 1, 2 * y), colour(2 * x, 2 * y + 1), colour(2 * x + 1, 2 * y + 1),
        ]
        for component in 1...2 {
          let mean = block.map { $0[component] }.reduce(0, +) / 4
          worst = max(worst, abs(Double(out.sample(component, x, y)) - mean))
        }
      }
    }
    #expect(worst < 1.01, label)
    if size.width > 30 { #expect(abs(sum / Double(size.width * size.height)) < 0.1, label) }
  }

  // MARK: One frame through the filter

  private func filter(reduction: Int) throws -> Element {
    try GStreamerLibrary.start()
    let filter = try Element.make("vitrinetonemap")
    try #require(vit_tone_map_set_reduction(filter.pointer, guint(reduction)) != 0)
    try #require(
      vit_tone_map_set_table(
        filter.pointer, Self.table.nodes, guint(ToneMapTable.lumaNodes), guint(ToneMapTable.chromaNodes)) != 0)
    return filter
  }

  private struct Result {
    var caps: Caps
    var planes: Planes
    var bytes: [UInt8]

    func sample(_ component: Int, _ x: Int, _ y: Int) -> UInt8 { bytes[planes.offset(component, x, y)] }
  }

  /// The places of a picture's samples in GStreamer's memory layout.
  private struct Planes {
    private let offsets: [Int]
    private let strides: [Int]
    private let steps: [Int]
    let size: Int

    init(_ caps: Caps, isSemiPlanar: Bool, bytes: Int) throws {
      var info = GstVideoInfo()
      try #require(gst_video_info_from_caps(&info, caps.pointer) != 0)
      let (offset, stride) = (info.offset, info.stride)
      size = Int(info.size)
      if isSemiPlanar {
        offsets = [Int(offset.0), Int(offset.1), Int(offset.1) + bytes]
        strides = [Int(stride.0), Int(stride.1), Int(stride.1)]
        steps = [bytes, 2 * bytes, 2 * bytes]
      } else {
        offsets = [Int(offset.0), Int(offset.1), Int(offset.2)]
        strides = [Int(stride.0), Int(stride.1), Int(stride.2)]
        steps = [bytes, bytes, bytes]
      }
    }

    func offset(_ component: Int, _ x: Int, _ y: Int) -> Int {
      offsets[component] + y * strides[component] + x * steps[component]
    }
  }

  private func pass(_ picture: Picture, _ caps: Caps, through filter: Element, to output: String) throws -> Result {
    let layout = picture.layout
    let planes = try Planes(caps, isSemiPlanar: layout.isSemiPlanar, bytes: layout.bytes)
    // Bytes outside of samples are filled with ones: unused bits must not count.
    var bytes = [UInt8](repeating: 0xFF, count: planes.size)
    for component in 0...2 {
      let (width, height) =
        component == 0 ? (picture.width, picture.height) : (picture.chromaWidth, picture.chromaHeight)
      for y in 0..<height {
        for x in 0..<width {
          let value = picture.code(component, x, y) << layout.shift
          let at = planes.offset(component, x, y)
          bytes[at] = UInt8(truncatingIfNeeded: value)
          if layout.bytes == 2 {
            let unused = layout.shift == 0 ? 0xFF << (layout.bits - 8) : 0
            bytes[at + 1] = UInt8(truncatingIfNeeded: value >> 8 | unused)
          }
        }
      }
    }

    let pipeline = try Element.pipeline(name: "filter")
    let source = try Element.make("appsrc")
    source.set("caps", caps)
    source.set("format", nick: "time")
    let choice = try Element.make("capsfilter")
    choice.set("caps", try #require(Caps("video/x-raw,format=\(output)")))
    let sink = try Element.make("appsink")
    sink.set("sync", false)
    pipeline.add([source, filter, choice, sink])
    try source.link(to: filter)
    try filter.link(to: choice)
    try choice.link(to: sink)
    _ = pipeline.setState(GST_STATE_PLAYING)
    defer { _ = pipeline.setState(GST_STATE_NULL) }
    bytes.withUnsafeBytes {
      vit_push_bytes(source.pointer, $0.baseAddress ?? UnsafeRawPointer(source.pointer), gsize($0.count), 0, 40_000_000)
    }
    let end = UnsafeMutableRawPointer(sink.pointer).assumingMemoryBound(to: GstAppSink.self)
    let sample = try #require(gst_app_sink_try_pull_sample(end, 10 * 1_000_000_000))
    defer { vit_sample_unref(sample) }
    let buffer = try #require(gst_sample_get_buffer(sample))
    let outCaps = Caps(borrowing: try #require(gst_sample_get_caps(sample)))
    let outPlanes = try Planes(outCaps, isSemiPlanar: output == "NV12", bytes: 1)
    var read = [UInt8](repeating: 0, count: outPlanes.size)
    #expect(gst_buffer_extract(buffer, 0, &read, gsize(read.count)) == read.count)
    return Result(caps: outCaps, planes: outPlanes, bytes: read)
  }
}
