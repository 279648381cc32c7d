/// The plural categories of the CLDR.
public enum PluralCategory: String, Hashable, Sendable, CaseIterable {
  case zero, one, two, few, many, other
}

/// Which form of a sentence a language takes for a number, in the notation of the CLDR:
/// `n % 10 = 2..4 and n % 100 != 12..14`.
///
/// All numbers here are whole, so that of the CLDR's operands `n` and `i` are the same, and the others are 0.
public struct PluralRules: Hashable, Sendable {
  struct Relation: Hashable, Sendable {
    /// 0 of an operand that whole numbers don't have.
    var isConstant = false
    var modulus: Int?
    var isNegated = false
    var ranges: [ClosedRange<Int>]

    func holds(for number: Int) -> Bool {
      var operand = isConstant ? 0 : number.magnitude
      if let modulus { operand %= UInt(modulus) }
      return ranges.contains { $0.contains(Int(clamping: operand)) } != isNegated
    }
  }

  /// Any of the inner lists holds where all of its relations do.
  private var rules: [PluralCategory: [[Relation]]] = [:]

  public init() {}

  /// The categories that have a form.
  public var categories: Set<PluralCategory> { Set(rules.keys).union([.other]) }

  /// - Returns: false where the rule can't be read, or a language needs none (`other`).
  public mutating func set(_ category: PluralCategory, to rule: String) -> Bool {
    guard category != .other, let parsed = Self.parse(rule) else { return false }
    rules[category] = parsed
    return true
  }

  public func category(of number: Int) -> PluralCategory {
    PluralCategory.allCases.first { category in
      rules[category]?.contains { $0.allSatisfy { $0.holds(for: number) } } ?? false
    } ?? .other
  }

  public static func isRule(_ text: String) -> Bool { parse(text) != nil }

  private static func parse(_ text: String) -> [[Relation]]? {
    var alternatives: [[Relation]] = [[]]
    var words: [Substring] = []
    func relation() -> Relation? { Self.relation(words) }
    for word in text.split(separator: " ") {
      guard word == "and" || word == "or" else {
        words.append(word)
        continue
      }
      guard let relation = relation() else { return nil }
      alternatives[alternatives.count - 1].append(relation)
      if word == "or" { alternatives.append([]) }
      words = []
    }
    guard let last = relation() else { return nil }
    alternatives[alternatives.count - 1].append(last)
    return alternatives
  }

  /// `n % 100 != 3..10,12`, in words.
  private static func relation(_ words: [Substring]) -> Relation? {
    guard let operand = words.first, ["n", "i", "v", "w", "f", "t", "c", "e"].contains(operand) else { return nil }
    var relation = Relation(isConstant: operand != "n" && operand != "i", ranges: [])
    var rest = words.dropFirst()
    if rest.first == "%" {
      guard let modulus = rest.dropFirst().first.flatMap({ Int($0) }), modulus > 0 else { return nil }
      relation.modulus = modulus
      rest = rest.dropFirst(2)
    }
    guard let sign = rest.popFirst(), sign == "=" || sign == "!=" else { return nil }
    relation.isNegated = sign == "!="
    for part in rest.joined().split(separator: ",", omittingEmptySubsequences: false) {
      let ends = part.split(separator: ".", omittingEmptySubsequences: false)
      guard let low = ends.first.flatMap({ Int($0) }), low >= 0 else { return nil }
      switch ends.count {
      case 1: relation.ranges.append(low...low)
      case 3:
        guard ends[1].isEmpty, let high = Int(ends[2]), high >= low else { return nil }
        relation.ranges.append(low...high)
      default: return nil
      }
    }
    return relation.ranges.isEmpty ? nil : relation
  }
}
