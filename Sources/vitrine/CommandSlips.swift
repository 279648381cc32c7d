import ArgumentParser
import FileSystem
import PlaylistConfig

/// Corrects usual mistakes in command lines.
enum CommandSlips {
  /// A sentence with the probable meaning of `arguments` that name no command; nil where they name one, or are empty.
  static func find(in arguments: [String], of root: any ParsableCommand.Type) -> String? {
    var command = root
    var path = [root._commandName]
    for word in arguments {
      let subcommands = command.configuration.subcommands
      guard !subcommands.isEmpty, !word.hasPrefix("-"), word != "help" else { return nil }
      if let next = subcommands.first(where: { $0._commandName == word || $0.configuration.aliases.contains(word) }) {
        command = next
        path.append(word)
        continue
      }
      let names = subcommands.filter { $0.configuration.shouldDisplay }.map { $0._commandName }
      let meant = meant(by: word, rest: arguments, at: path, among: names)
      return "\(path.joined(separator: " ")) has no command '\(word)'"
        + (meant.map { "; did you mean: \($0)" } ?? "; it has \(names.joined(separator: ", "))")
    }
    return nil
  }

  private static func meant(by word: String, rest: [String], at path: [String], among names: [String]) -> String? {
    // The words after the mistake stay as they are.
    let rest = rest.dropFirst(path.count).map(quoted)
    if path.count == 1, isMedium(word) {
      let verb = word.hasSuffix(".toml") ? "run --config" : "play"
      return ([path[0], verb, quoted(word)] + rest).joined(separator: " ")
    }
    return Suggestion.nearest(to: word, among: names).map { (path + [$0] + rest).joined(separator: " ") }
  }

  /// Whether a word is a file or an address, or looks like one.
  private static func isMedium(_ word: String) -> Bool {
    word.contains("/") || word.dropFirst().contains(".") || FileTree.isThere(word)
  }

  private static func quoted(_ word: String) -> String {
    let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+=:,@%~")
    return word.allSatisfy(plain.contains) ? word : "'\(word.replacing("'", with: "'\\''"))'"
  }
}
