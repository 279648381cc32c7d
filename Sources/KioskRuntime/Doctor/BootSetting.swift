/// Checks that the boot files have the settings that a board's profile asks for.
enum BootSetting {
  /// - Parameters:
  ///   - wanted: a line of config.txt or of a file of variables, or words of the kernel's command line.
  ///   - text: the file's text.
  ///   - commandLine: the running kernel's command line, which counts, too, wherever it comes from.
  ///   - model: the board's name for itself, for the sections of config.txt; empty where it has none.
  /// - Returns: the lines or words that are missing.
  static func missing(
    of wanted: String, _ place: String, in text: String, commandLine: String, model: String = ""
  ) -> [String] {
    let running = words(commandLine)
    if place.hasSuffix("config.txt") {
      return linesThatHold(text, on: model).contains { holds($0, wanted) } ? [] : [wanted]
    }
    if wanted.hasPrefix("CMA=") {
      // The script of Debian's package turns CMA= into cma=; the last of several lines counts. An image may have cma=
      // on its command line without that script.
      let found = [lines(text).last { $0.hasPrefix("CMA=") }, running.last { $0.hasPrefix("cma=") }]
      let least = megabytes(wanted) ?? 0
      return found.contains { line in line.flatMap(megabytes).map { $0 >= least } ?? false } ? [] : [wanted]
    }
    let there = Set(words(text) + running)
    return words(wanted).filter { !there.contains($0) }
  }

  /// The lines of config.txt that apply to a board. A section (`[pi4]`) ends the previous section of the same kind, and
  /// `[all]` ends every section. Sections that can't be judged here, such as those by serial number, pin or cable,
  /// count as not applying: a required setting must always apply.
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

  /// The sections that apply to a model such as `Raspberry Pi 4 Model B Rev 1.4`: pi4. A compute module has its own
  /// besides those of its family; pi400 and pi500 are a Pi 4 and a Pi 5.
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

  /// Whether a line of config.txt fulfils the wanted one: it is the same line, or the same overlay with at least as
  /// much memory and any other parameters.
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

  /// The number in `cma-512`, in megabytes.
  private static func memory(_ parameter: Substring) -> Int? {
    parameter.hasPrefix("cma-") ? Int(parameter.dropFirst("cma-".count)) : nil
  }

  /// The megabytes in `CMA=256M` or `cma=256M@1G`; nil for other units.
  private static func megabytes(_ line: String) -> Int? {
    let value = line.dropFirst("CMA=".count).filter { $0 != "\"" }
    let digits = value.prefix { $0.isNumber }
    let unit = value.dropFirst(digits.count).first
    guard let number = Int(digits) else { return nil }
    return unit == "M" || unit == "m" ? number : unit == "G" || unit == "g" ? number * 1024 : nil
  }

  private static func lines(_ text: String) -> [String] {
    // Files from Windows have other newlines.
    text.split(whereSeparator: \.isNewline).map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
  }

  private static func words(_ text: String) -> [String] {
    text.split { $0.isWhitespace || $0 == "\"" }.map(String.init)
  }
}
