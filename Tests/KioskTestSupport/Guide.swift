import Foundation

/// A page with instructions: its commands, its files, and the expected output of its commands.
public struct Guide: Sendable {
  public enum Step: Equatable, Sendable {
    /// Lines for a shell; `words` are the words after `sh`, and `printed` is the block after the lines.
    case commands(String, words: [String], printed: String?)
    case file(String, text: String)
  }

  public var steps: [Step] = []

  public struct Unknown: Error, CustomStringConvertible {
    public var description: String
  }

  /// - Throws: `Unknown` at a block that is neither commands, nor a file, nor the output of commands before it: every
  ///   part of a guide is tried.
  public init(_ markdown: String) throws {
    var block: (info: [String], text: String)?
    for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
      guard line.hasPrefix("```") else {
        block?.text += line + "\n"
        continue
      }
      guard let ended = block else {
        block = (line.dropFirst(3).split(separator: " ").map(String.init), "")
        continue
      }
      block = nil
      try add(ended.info, ended.text)
    }
    if let block { throw Unknown(description: "no end of the block of \(block.info)") }
  }

  private mutating func add(_ info: [String], _ text: String) throws {
    if info.first == "sh" {
      steps.append(.commands(text, words: Array(info.dropFirst()), printed: nil))
    } else if info.count == 2 {
      steps.append(.file(info[1], text: text))
    } else if info == ["text"], case .commands(let commands, let words, nil)? = steps.last {
      steps[steps.count - 1] = .commands(commands, words: words, printed: text)
    } else {
      throw Unknown(description: "a block of \(info) after \(steps.last.map { "\($0)" } ?? "nothing")")
    }
  }

  /// Whether an output matches the one on the page: `…` stands for anything, alone on a line for any number of lines.
  public static func matches(_ printed: String, _ shown: String) -> Bool {
    matches(lines(printed)[...], lines(shown)[...])
  }

  private static func lines(_ text: String) -> [Substring] { text.split(separator: "\n") }

  private static func matches(_ printed: ArraySlice<Substring>, _ shown: ArraySlice<Substring>) -> Bool {
    guard let line = shown.first else { return printed.isEmpty }
    if line == "…" {
      return (printed.startIndex...printed.endIndex).contains { matches(printed[$0...], shown.dropFirst()) }
    }
    guard let first = printed.first, isLike(first, line) else { return false }
    return matches(printed.dropFirst(), shown.dropFirst())
  }

  private static func isLike(_ printed: Substring, _ shown: Substring) -> Bool {
    let parts = shown.split(separator: "…", omittingEmptySubsequences: false)
    guard let first = parts.first, let last = parts.last, printed.hasPrefix(first) else { return false }
    if parts.count == 1 { return printed == shown }
    var rest = printed.dropFirst(first.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let found = rest.range(of: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return rest.hasSuffix(last)
  }
}
