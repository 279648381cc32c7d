/// Finds the name that a user probably meant.
public enum Suggestion {
  /// The candidate nearest to `name`, if it is near enough to be a slip of the fingers: a third of the letters may differ.
  /// Case, and whether words are joined by `-` or `_`, count for nothing.
  public static func nearest<Names: Sequence<String>>(to name: String, among candidates: Names) -> String? {
    let wanted = folded(name)
    // A key may be as long as the file, and the distance takes the product of both lengths.
    guard wanted.count <= 64 else { return nil }
    var best: (name: String, distance: Int)?
    for candidate in candidates {
      let known = folded(candidate)
      let distance = editDistance(wanted, known)
      guard distance <= max(1, max(wanted.count, known.count) / 3) else { continue }
      if best.map({ distance < $0.distance }) ?? true { best = (candidate, distance) }
    }
    return best?.name
  }

  /// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b` (optimal string alignment).
  static func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var beforePrevious: [Int] = []
    var previous = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var cost = min(previous[j + 1] + 1, row[j] + 1, previous[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforePrevious[j - 1] + 1) }
        row.append(cost)
      }
      beforePrevious = previous
      previous = row
    }
    return previous[b.count]
  }

  private static func folded(_ name: String) -> [UInt8] {
    name.lowercased().utf8.map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "_") : $0 }
  }
}
