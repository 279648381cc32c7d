/// Whether a setting that a board's profile asks for is there.
enum BootSetting {
  /// - Parameters:
  ///   - wanted: a line of config.txt or of a file of variables, or words of the kernel's command line.
  ///   - text: of the file.
  ///   - commandLine: what the kernel runs with counts too, wherever that comes from.
  ///   - model: what the board calls itself, for the sections of config.txt; empty where it doesn't say.
  /// - Returns: what is to be added.
  static func missing(
    of wanted: String, _ place: String, in text: String, commandLine: String, model: String = ""
  ) -> [String] {
    let running = words(commandLine)
    if place.hasSuffix("config.txt") {
      return linesThatHold(text, on: model).contains { holds($0, wanted) } ? [] : [wanted]
    }
    if wanted.hasPrefix("CMA=") {
      // The script of Debian's package makes cma= of it; of two lines the last one counts. An image may have it there by
      // itself.
      let found = [lines(text).last { $0.hasPrefix("CMA=") }, running.last { $0.hasPrefix("cma=") }]
      let least = megabytes(wanted) ?? 0
      return found.contains { line in line.flatMap(megabytes).map { $0 >= least } ?? false } ? [] : [wanted]
    }
    let there = Set(words(text) + running)
    return words(wanted).filter { !there.contains($0) }
  }

  /// The lines of config.txt that hold for a board. A section (`[pi4]`) ends what stood before it of the same kind, and `[all]` ends all.
  /// Sections of which nothing can be told here, such as those by serial number, pin or cable, are taken not to hold: what has to be
  /// there has to be there always.
  private static func linesThatHold(_ text: String, on model: String) -> [String] {
    var holdsByModel = true
    var holdsOtherwise = true
    return lines(text).filter { line in
      guard line.hasPrefix("["), line.hasSuffix("]") else { return holdsByModel && holdsOtherwise }
      switch String(line.dropFirst().dropLast()).lowercased() {
      case "all": (holdsByModel, holdsOtherwise) = (true, true)
      case "none": holdsOtherwise = false
      case let section where section.hasPrefix("pi") || section.hasPrefix("cm"):
        holdsByModel = names(of: model).contains(section)
      default: holdsOtherwise = false
      }
      return false
    }
  }

  /// Sections that hold for `Raspberry Pi 4 Model B Rev 1.4`: pi4. A compute module has its own besides those of its family; pi400 and
  /// pi500 are a Pi 4 and a Pi 5.
  private static func names(of model: String) -> Set<String> {
    let words = model.lowercased().split(separator: " ").map(String.init)
    guard let pi = words.firstIndex(of: "pi"), pi + 1 < words.count else {
      guard let module = words.firstIndex(of: "module"), module + 1 < words.count else { return [] }
      return moduleNames(words[module + 1])
    }
    switch words[pi + 1] {
    case "400": return ["pi4", "pi400"]
    case "500": return ["pi5", "pi500"]
    case "zero": return words.dropFirst(pi + 2).first == "2" ? ["pi0", "pi0w", "pi02"] : ["pi0", "pi0w"]
    case "compute": return words.count > pi + 3 ? moduleNames(words[pi + 3]) : []
    case "model": return ["pi1"]
    case let number: return number == "3" && words.contains("plus") ? ["pi3", "pi3+"] : ["pi\(number.prefix(1))"]
    }
  }

  private static func moduleNames(_ number: String) -> Set<String> {
    let family = number.prefix { $0.isNumber }
    return family.isEmpty ? ["pi1", "cm1"] : ["pi\(family)", "cm\(number)"]
  }

  /// Whether a line of config.txt does what is wanted: that very line, or the same overlay with no less memory, with
  /// whatever else it is told.
  private static func holds(_ line: String, _ wanted: String) -> Bool {
    guard line != wanted else { return true }
    guard wanted.hasPrefix("dtoverlay=") else { return false }
    let (own, asked) = (line.split(separator: ","), wanted.split(separator: ","))
    guard let first = own.first, first == asked.first else { return false }
    return asked.dropFirst().allSatisfy { parameter in
      own.contains(parameter)
        || memory(parameter).map { least in own.contains { (memory($0) ?? 0) >= least } } ?? false
    }
  }

  /// 512 of `cma-512`, in megabytes.
  private static func memory(_ parameter: Substring) -> Int? {
    parameter.hasPrefix("cma-") ? Int(parameter.dropFirst("cma-".count)) : nil
  }

  /// 256 of `CMA=256M` and of `cma=256M@1G`; of other units nothing is known here.
  private static func megabytes(_ line: String) -> Int? {
    let value = line.dropFirst("CMA=".count).filter { $0 != "\"" }
    let digits = value.prefix { $0.isNumber }
    let unit = value.dropFirst(digits.count).first
    guard let number = Int(digits) else { return nil }
    return unit == "M" || unit == "m" ? number : unit == "G" || unit == "g" ? number * 1024 : nil
  }

  private static func lines(_ text: String) -> [String] {
    // Files that Windows has written have other newlines.
    text.split(whereSeparator: \.isNewline).map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
  }

  private static func words(_ text: String) -> [String] {
    text.split { $0.isWhitespace || $0 == "\"" }.map(String.init)
  }
}
