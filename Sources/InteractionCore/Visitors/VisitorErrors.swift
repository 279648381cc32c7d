/// The errors whose text a card can show, by the numbers that stand in a language's file.
public enum VisitorErrors {
  /// Of every other error.
  public static let other = 0

  /// The key of each in a language's file, in its order: a number, or "other".
  public static let numbers = [
    1002, 1003, 1005, 2001, 2002, 2003, 2004, 2400, 2401, 2404, 2500, 2601, 2603, 2604, 2611, 3001, 3002, 3003, 3005,
    4001, 4101, other,
  ]

  public static func key(_ number: Int) -> String { number == other ? "other" : "\(number)" }

  /// The placeholders of its text: the status that a server has sent.
  public static func placeholders(_ number: Int) -> [String] { (2400...2500).contains(number) ? ["status"] : [] }

  /// The number whose text says what is wrong. Statuses of HTTP that mean the same to a visitor have one text.
  public static func group(of number: Int) -> Int {
    switch number {
    case 2401, 2403, 2407: 2401
    case 2404, 2410: 2404
    case 2400...2499: 2400
    case 2500...2599: 2500
    case _ where numbers.contains(number): number
    default: other
    }
  }
}
