/// An EDID with one CTA-861 extension that holds these data blocks.
public func madeEDID(_ blocks: [[UInt8]], timingsAt end: UInt8? = nil, repairsChecksum: Bool = true) -> [UInt8] {
  var base = [UInt8](repeating: 0, count: 128)
  base[126] = 1
  var part: [UInt8] = [0x02, 0x03, end ?? UInt8(clamping: 4 + blocks.joined().count), 0] + blocks.joined()
  part += [UInt8](repeating: 0, count: max(0, 128 - part.count))
  part = Array(part.prefix(128))
  if repairsChecksum { part[127] = 0 &- part.dropLast().reduce(0, &+) }
  return base + part
}
