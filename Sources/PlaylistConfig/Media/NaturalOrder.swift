/// The order in which people expect names: numbers by value, letters without case.
enum NaturalOrder {
  /// Total: names that differ only in case or in leading zeros are ordered by their bytes.
  static func precedes(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    var i = 0
    var j = 0
    while i < a.count, j < b.count {
      if isDigit(a[i]), isDigit(b[j]) {
        let runA = significantDigits(of: a, from: &i)
        let runB = significantDigits(of: b, from: &j)
        // Compared by length, then digit by digit: a run may be longer than any integer.
        if runA.count != runB.count { return runA.count < runB.count }
        if !runA.elementsEqual(runB) { return runA.lexicographicallyPrecedes(runB) }
      } else {
        let (x, y) = (lowercased(a[i]), lowercased(b[j]))
        if x != y { return x < y }
        i += 1
        j += 1
      }
    }
    if i < a.count || j < b.count { return j < b.count }
    return a.lexicographicallyPrecedes(b)
  }

  private static func significantDigits(of name: [UInt8], from index: inout Int) -> ArraySlice<UInt8> {
    let start = index
    while index < name.count, isDigit(name[index]) { index += 1 }
    return name[start..<index].drop { $0 == UInt8(ascii: "0") }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  private static func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}
