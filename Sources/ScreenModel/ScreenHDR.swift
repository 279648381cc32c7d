public import PlaybackCore

/// A screen's HDR abilities by its EDID (CTA-861-G: the data blocks for HDR static metadata and for colorimetry).
public struct ScreenHDR: Hashable, Sendable {
  /// The transfer curves that it shows; only with the metadata that the player can send (type 1).
  public var transfers: Set<HDRTransfer> = []
  /// Whether the screen takes the colours of BT.2020 as RGB, and as Y'CbCr.
  public var takesRGB2020 = false
  public var takesYCC2020 = false

  /// Without abilities for a screen without HDR, and for bytes that aren't an EDID.
  public init(edid bytes: [UInt8] = []) {
    for block in DataBlocks(edid: bytes) where block.tag == DataBlocks.extended {
      switch block.content.first {
      case Self.hdrStaticMetadata:
        let content = Array(block.content.dropFirst())
        // Which curves, and which kinds of metadata.
        guard content.count >= 2, content[1] & 1 != 0 else { continue }
        if content[0] & 1 << 2 != 0 { transfers.insert(.pq) }
        if content[0] & 1 << 3 != 0 { transfers.insert(.hlg) }
      case Self.colorimetry:
        guard let flags = block.content.dropFirst().first else { continue }
        takesYCC2020 = flags & 1 << 6 != 0
        takesRGB2020 = flags & 1 << 7 != 0
      default: continue
      }
    }
  }

  /// Names of the curves for people and scripts; nil for a screen without HDR.
  public var names: [String]? {
    transfers.isEmpty ? nil : HDRTransfer.allCases.filter(transfers.contains).map(\.rawValue)
  }

  private static let colorimetry: UInt8 = 5
  private static let hdrStaticMetadata: UInt8 = 6
}

/// The data blocks of an EDID's CTA-861 extensions. The bytes come from outside: malformed blocks are left out.
struct DataBlocks: Sequence {
  struct Block: Hashable {
    var tag: UInt8
    var content: ArraySlice<UInt8>
  }

  /// The tag of blocks whose kind is in their first byte.
  static let extended: UInt8 = 7

  private let bytes: [UInt8]

  init(edid bytes: [UInt8]) { self.bytes = bytes }

  func makeIterator() -> Array<Block>.Iterator {
    var blocks: [Block] = []
    for start in stride(from: 128, to: bytes.count - 127, by: 128) {
      let part = bytes[start..<(start + 128)]
      guard part[start] == 0x02, part.reduce(0, &+) == 0 else { continue }
      // Blocks end where detailed timings begin.
      let end = start + Int(part[start + 2])
      var next = start + 4
      while next < end, next < start + 127 {
        let last = next + Int(part[next] & 0x1F)
        guard last < end, last < start + 127 else { break }
        blocks.append(Block(tag: part[next] >> 5, content: part[(next + 1)..<(last + 1)]))
        next = last + 1
      }
    }
    return blocks.makeIterator()
  }
}
