import InteractionCore
import Testing

@Suite("Plural rules")
struct PluralRulesTests {
  private func rules(_ rules: KeyValuePairs<PluralCategory, String>) throws -> PluralRules {
    var made = PluralRules()
    for (category, rule) in rules {
      let isSet = made.set(category, to: rule)
      try #require(isSet, "\(rule)")
    }
    return made
  }

  /// The samples of the CLDR's own charts.
  @Test("Arabic has six forms")
  func arabic() throws {
    let arabic = try rules([
      .zero: "n = 0", .one: "n = 1", .two: "n = 2", .few: "n % 100 = 3..10", .many: "n % 100 = 11..99",
    ])
    let samples: [(PluralCategory, [Int])] = [
      (.zero, [0]), (.one, [1]), (.two, [2]), (.few, [3, 10, 103, 110, 1003]), (.many, [11, 26, 99, 111, 1011]),
      (.other, [100, 102, 200, 202, 1000, 100_000]),
    ]
    for (category, numbers) in samples {
      for number in numbers { #expect(arabic.category(of: number) == category, "\(number)") }
    }
    #expect(arabic.categories == Set(PluralCategory.allCases))
  }

  @Test("Polish and French: several relations, negation, lists of ranges, operands that whole numbers lack")
  func others() throws {
    let polish = try rules([
      .one: "i = 1 and v = 0", .few: "v = 0 and i % 10 = 2..4 and i % 100 != 12..14",
      .many: "v = 0 and i != 1 and i % 10 = 0..1 or v = 0 and i % 10 = 5..9 or v = 0 and i % 100 = 12..14",
    ])
    #expect(
      [1, 2, 5, 12, 21, 22, 25, 112, 122].map { polish.category(of: $0) } == [
        .one, .few, .many, .many, .many, .few, .many, .many, .few,
      ])
    let french = try rules([.one: "i = 0,1", .many: "e = 0 and i != 0 and i % 1000000 = 0 and v = 0 or e != 0..5"])
    #expect([0, 1, 2, 1_000_000, 1_000_001].map { french.category(of: $0) } == [.one, .one, .other, .many, .other])
    #expect(PluralRules().category(of: 1) == .other, "Japanese has one form")
  }

  @Test(
    "What is no rule is refused",
    arguments: ["", "n", "n =", "n = x", "n = 3..1", "n % 0 = 1", "m = 1", "n = 1 and", "or n = 1", "n == 1", "n = -1"])
  func refused(rule: String) {
    var rules = PluralRules()
    let isSet = rules.set(.one, to: rule)
    #expect(!isSet && !PluralRules.isRule(rule))
  }

  @Test("The last form has no rule")
  func other() {
    var rules = PluralRules()
    let isSet = rules.set(.other, to: "n = 1")
    #expect(!isSet)
  }
}
