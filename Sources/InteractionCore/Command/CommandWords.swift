internal import JSONText
internal import PlaybackCore

// Commands as lines of words: `seek +10`, `message "Back at two" --for 600`. `vitrine ctl` and the bindings of keys
// and gestures write them so.

extension Verb {
  /// The verb's arguments from the words behind it.
  ///
  /// - Parameter words: as a shell splits them: one that has blanks is one word.
  /// - Throws: what is wrong with a word, as the end of a sentence about the verb.
  public func arguments(_ words: some Sequence<String>) throws(CommandMisuse) -> CommandArguments {
    var arguments = CommandArguments()
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
        let isSigned = Self.sign(of: word) != nil
        let places: [CommandParameter.Place] = [.first, isSigned ? .signed : .unsigned]
        guard let next = parameters.first(where: { places.contains($0.place) && arguments[$0.name] == nil }) else {
          throw CommandMisuse("\(CommandParameter.quoted(word)) is one word too many")
        }
        parameter = next
      }
      guard let json = parameter.value(of: value), parameter.admits(json) else {
        throw CommandMisuse("\(CommandParameter.quoted(value)) is not \(parameter.allowedWords)")
      }
      arguments.members.append(.init(parameter.name, json))
    }
    return arguments
  }

  /// A minus sign too, which people type who take a text from elsewhere.
  fileprivate static func sign(of word: String) -> Double? {
    switch word.first {
    case "+": 1
    case "-", "\u{2212}": -1
    default: nil
    }
  }

  /// How a line of words looks, for help: `seek TIME|+TIME|-TIME [--keyframe]`.
  public var usage: String {
    let first = parameters.filter { if case .option = $0.place { false } else { true } }
    let options = parameters.compactMap { parameter -> String? in
      guard case .option(let name) = parameter.place else { return nil }
      return parameter.kind == .boolean ? "[--\(name)]" : "[--\(name) \(parameter.placeholder)]"
    }
    var words = first.flatMap { parameter -> [String] in
      switch parameter.place {
      case .signed: ["+\(parameter.placeholder)", "-\(parameter.placeholder)"]
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

  /// `allowed`, as words are written.
  fileprivate var allowedWords: String {
    switch kind {
    case .boolean: "on or off"
    default: isTime ? "a time: 90, 1:30, +10 or -10" : allowed
    }
  }

  /// Nil for a word that can't be of this kind.
  fileprivate func value(of word: String) -> JSONValue? {
    switch kind {
    case .boolean: ["on": .boolean(true), "off": .boolean(false)][word]
    case .integer:
      number(word).flatMap { $0 == $0.rounded() && abs($0) < 1e15 ? .integer(Int64($0)) : nil }
    case .number: number(word).map { .number($0) }
    case .text, .words: .string(word)
    case .wordList: .array(word.split(separator: ",").map { .string(String($0)) })
    }
  }

  /// With a sign where one is wanted; a time has up to three parts, such as 1:30.
  private func number(_ word: String) -> Double? {
    let sign = place == .signed ? Verb.sign(of: word) : nil
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
  /// Reads a command as bindings write it: a verb, and behind it its arguments.
  ///
  /// - Returns: nil for a text that is no command.
  init?(words text: String) {
    let (word, rest) = Self.split(text)
    guard let verb = Verb(rawValue: word) else { return nil }
    // A text is all that follows: nothing quotes its blanks here.
    var takesText = false
    if case .text = verb.parameters.first?.kind { takesText = true }
    let words = takesText ? (rest.isEmpty ? [] : [rest]) : rest.split(separator: " ").map(String.init)
    guard let arguments = try? verb.arguments(takesText ? ["--"] + words : words),
      let command = try? verb.command(arguments)
    else { return nil }
    self = command
  }

  /// The first word and what follows it, without the blanks around both.
  static func split(_ text: String) -> (word: String, rest: String) {
    let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return (parts.first ?? "", "") }
    let rest = parts[1].drop { $0 == " " }
    return (parts[0], String(rest.reversed().drop { $0 == " " }.reversed()))
  }
}
