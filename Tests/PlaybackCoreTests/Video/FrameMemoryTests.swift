import PlaybackCore
import Testing

@Suite("Memory of frames that only hardware reads")
struct FrameMemoryTests {
  private static let columns = DRMFormat(code: "NV12", modifier: 0x0700_0000_0000_0004)

  @Test("Caps give a format code, and a layout unless frames are in rows")
  func parsing() {
    #expect(DRMFormat("NV12") == DRMFormat(code: "NV12"))
    #expect(DRMFormat("NV12:0x0000000000000000") == DRMFormat(code: "NV12"))
    #expect(DRMFormat("NV12:0x0700000000000004") == Self.columns)
    #expect(DRMFormat("R8  ") == DRMFormat(code: "R8  "))
    #expect(DRMFormat("XR24:0x00ffffffffffffff")?.modifier == 0x00ff_ffff_ffff_ffff)
    for text in ["", ":", "NV12:", "NV12:7", "NV12:0x", "NV12:0xg", "NV12:0x1ffffffffffffffff", "toolong"] {
      #expect(DRMFormat(text) == nil, "\(text)")
    }
  }

  @Test("Plain frames fit every use, frames in rows can be copied, and others go to the screen alone")
  func handling() {
    for use in FrameMemory.Use.allCases { #expect(FrameMemory.plain.handling(for: use) == .asItIs) }
    let rows = FrameMemory.hardware(DRMFormat(code: "YU12"))
    #expect(rows.handling(for: .screen) == .asItIs)
    #expect(rows.handling(for: .copy) == .readAs("I420"))
    #expect(rows.handling(for: .change) == .refuse)
    for format in [
      Self.columns, DRMFormat(code: "NC12"), DRMFormat(code: "NV12", modifier: 0x00ff_ffff_ffff_ffff), nil,
    ] {
      let memory = FrameMemory.hardware(format)
      #expect(memory.handling(for: .screen) == .asItIs)
      #expect(memory.handling(for: .copy) == .refuse && memory.handling(for: .change) == .refuse)
    }
    #expect(FrameMemory.unreadable(Self.columns).detail == "NV12, layout 0x700000000000004")
  }
}
