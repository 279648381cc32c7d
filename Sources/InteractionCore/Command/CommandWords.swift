internal import JSONText
internal import PlaybackCore

// Reads commands that are written as lines of words: `seek +10`, `message "Back at two" --for 600`. `vitrine ctl` and
// the bindings of keys and gestures use this form.

extension CommandArguments {
  /// Reads the arguments of a verb from the words after it.
  ///
  /// - Parameter words: as a shell splits them: a quoted word may contain blanks.
  /// - Throws: what is wrong with a word, as the end of a sentence about the verb.
  public init(words: some Sequence<String>, of parameters: [CommandParameter]) throws(CommandMisuse) {
    self.init()
    var words = Array(words)[...]
    var isBehindDashes = false
    while let word = words.popFirst() {
      if word == "--", !isBehindDashes {
        isBehindDashes = true
        continue
      }
      let parameter: CommandParameter
      var value = word
      if word.hasPrefix("--"), !isBehindDashes {
        let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let named = parameters.first(where: { $0.place == .option(String(parts.first ?? "")) }) else {
          throw CommandMisuse("there is no option \(CommandParameter.quoted(word))")
        }
        parameter = named
        if parts.count == 2 {
          value = String(parts[1])
        } else if named.kind == .boolean {
          value = "on"
        } else if let next = words.popFirst() {
          value = next
        } else {
          throw CommandMisuse("\(word) needs a value")
        }
      } else {
        let isSigned = Verb.sign(of: word) != nil
        let places: [CommandParameter.Place] = [.first, isSigned ? .withSign : .withoutSign]
        guard let next = parameters.first(where: { places.contains($0.place) && self[$0.name] == nil }) else {
          throw CommandMisuse("\(CommandParameter.quoted(word)) is one word too many")
        }
        parameter = next
      }
      guard let json = parameter.value(of: value), parameter.admits(json) else {
        throw CommandMisuse("\(CommandParameter.quoted(value)) is not \(parameter.allowedWords)")
      }
      members.append(.init(parameter.name, json))
    }
  }

  /// Reads the arguments of a verb from the rest of a line: words between blanks, of which one in double quotes may contain
  /// blanks. For a verb that begins with a text, options may come first, and a rest without quotes is that text:
  /// `message --for 60 Back at two`.
  ///
  /// - Throws: what is wrong with a word, as the end of a sentence about the verb.
  public init(line rest: String, of parameters: [CommandParameter]) throws(CommandMisuse) {
    var (words, rest): ([String], String) = ([], rest)
    if case .text = parameters.first?.kind {
      while rest.hasPrefix("--") {
        let (word, after) = Command.split(rest)
        guard let option = parameters.first(where: { $0.place == .option(String(word.dropFirst(2))) }) else { break }
        words.append(word)
        rest = after
        guard option.kind != .boolean else { continue }
        let (value, behind) = Command.split(rest)
        words.append(value)
        rest = behind
      }
      if !rest.isEmpty, !rest.hasPrefix("\"") { (words, rest) = (words + ["--", rest], "") }
    }
    try self.init(words: words + Self.words(rest), of: parameters)
  }

  /// The words of a line. Within quotes a backslash takes the meaning from a quote or a backslash.
  static func words(_ line: String) throws(CommandMisuse) -> [String] {
    var words: [String] = []
    var word: String?
    var isQuoted = false
    var isEscaped = false
    for character in line {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if isQuoted, character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        isQuoted.toggle()
        // Quotes with nothing between them are an empty word.
        word = word ?? ""
      } else if !isQuoted, character == " " || character == "\t" {
        if let complete = word { words.append(complete) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    guard !isQuoted else { throw CommandMisuse("a quote isn't closed") }
    return words + [word].compactMap(\.self)
  }
}

extension Verb {
  /// Reads a verb's arguments from the words after it, as `CommandArguments` does.
  public func arguments(_ words: some Sequence<String>) throws(CommandMisuse) -> CommandArguments {
    try CommandArguments(words: words, of: parameters)
  }

  /// 1 or -1 for a word with a sign, else nil. Accepts the typographic minus too, which copied text may contain.
  static func sign(of word: String) -> Double? {
    switch word.first {
    case "+": 1
    case "-", "\u{2212}": -1
    default: nil
    }
  }

  /// The form of a line of words, for help: `seek TIME|+TIME|-TIME [--keyframe]`.
  public var usage: String {
    let first = parameters.filter { if case .option = $0.place { false } else { true } }
    let options = parameters.compactMap { parameter -> String? in
      guard case .option(let name) = parameter.place else { return nil }
      let words = parameter.kind == .boolean ? "--\(name)" : "--\(name) \(parameter.placeholder)"
      return parameter.isRequired ? words : "[\(words)]"
    }
    var words = first.flatMap { parameter -> [String] in
      switch parameter.place {
      case .withSign: ["+\(parameter.placeholder)", "-\(parameter.placeholder)"]
      default: [parameter.placeholder]
      }
    }.joined(separator: "|")
    if !words.isEmpty, first.allSatisfy({ !$0.isRequired && $0.place == .first }) { words = "[\(words)]" }
    return ([rawValue, words] + options).filter { !$0.isEmpty }.joined(separator: " ")
  }
}

extension CommandParameter {
  fileprivate var placeholder: String {
    switch kind {
    case .boolean: "on|off"
    case .words(let words): words.joined(separator: "|")
    default: isTime ? "TIME" : name.uppercased()
    }
  }

  /// `allowed`, in the spelling of words.
  fileprivate var allowedWords: String {
    switch kind {
    case .boolean: "on or off"
    default: isTime ? "a time: 90, 1:30, +10 or -10" : allowed
    }
  }

  /// The value of a word; nil where the word doesn't fit the kind.
  fileprivate func value(of word: String) -> JSONValue? {
    switch kind {
    case .boolean: ["on": .boolean(true), "off": .boolean(false)][word]
    case .integer:
      number(word).flatMap { $0 == $0.rounded() && abs($0) < 1e15 ? .integer(Int64($0)) : nil }
    case .number: number(word).map { .number($0) }
    case .text, .name, .words: .string(word)
    case .wordList: .array(word.split(separator: ",").map { .string(String($0)) })
    }
  }

  /// Reads a number, with a sign where the place wants one; a time has up to three parts, such as 1:30.
  private func number(_ word: String) -> Double? {
    let sign = place == .withSign ? Verb.sign(of: word) : nil
    let digits = sign == nil ? word[...] : word.dropFirst()
    let parts = digits.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in part.first?.isNumber == true ? Double(part) : nil }
    guard (1...(isTime ? 3 : 1)).contains(parts.count), numbers.count == parts.count,
      numbers.allSatisfy(\.isFinite), numbers.dropFirst().allSatisfy({ $0 < 60 })
    else { return nil }
    return (sign ?? 1) * numbers.reduce(0) { $0 * 60 + $1 }
  }
}

extension Command {
  /// Reads a command as bindings spell it: a verb and its arguments.
  ///
  /// - Returns: nil for a text that isn't a command.
  init?(words text: String) {
    let (word, rest) = Self.split(text)
    guard let verb = Verb(rawValue: word), let arguments = try? CommandArguments(line: rest, of: verb.parameters),
      let command = try? verb.command(arguments)
    else { return nil }
    self = command
  }

  /// Splits a text into the first word and the rest, without the blanks around each.
  public static func split(_ text: String) -> (word: String, rest: String) {
    let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return (parts.first ?? "", "") }
    let rest = parts[1].drop { $0 == " " }
    return (parts[0], String(rest.reversed().drop { $0 == " " }.reversed()))
  }
}
