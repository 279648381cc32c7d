/// Whether a setting that a board's profile asks for is there.
enum BootSetting {
  /// - Parameters:
  ///   - wanted: a line of config.txt or of a file of variables, or words of the kernel's command line.
  ///   - text: of the file.
  ///   - commandLine: what the kernel runs with counts too, wherever that comes from.
  /// - Returns: what is to be added.
  static func missing(of wanted: String, _ place: String, in text: String, commandLine: String) -> [String] {
    let running = words(commandLine)
    if place.hasSuffix("config.txt") {
      return lines(text).contains { holds($0, wanted) } ? [] : [wanted]
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
