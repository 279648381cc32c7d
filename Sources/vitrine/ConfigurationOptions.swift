import ArgumentParser
import ConfigurationFiles
import FileSystem
import Glibc
import KioskCore
import PlaybackCore
import PlaylistConfig

/// Which configuration, and what overrides it.
struct ConfigurationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The configuration: a file, or a folder with vitrine.toml and conf.d.",
      discussion: "Without it, ~/.config/vitrine for a user who has one, else that of the board.",
      valueName: "file|folder"))
  var config = Self.usual

  @Option(
    name: .customLong("set"), parsing: .singleValue,
    help: ArgumentHelp("Override a setting, such as display.mode=1280x720.", valueName: "key=value"))
  var settings: [String] = []

  /// Where a configuration is looked for that nobody names. Root and services play for the board.
  static var usual: String {
    let environment = ProcessEnvironment.all
    guard geteuid() != 0, environment["STATE_DIRECTORY"] == nil,
      let folder = ConfigurationSet.userFolder(environment: environment), FileTree.isThere("\(folder)/vitrine.toml")
    else { return ConfigurationSet.system.main }
    return folder
  }

  var files: ConfigurationSet { ConfigurationSet.named(config) }

  func load() -> LoadedConfiguration { Configuration.load(files, overrides: overrides) }

  var overrides: ConfigurationOverrides {
    ConfigurationOverrides(environment: ProcessEnvironment.all, settings: settings)
  }
}

/// The variables of this process.
enum ProcessEnvironment {
  static var all: [String: String] {
    var variables: [String: String] = [:]
    var next: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> = environ
    while let entry = next.pointee {
      let text = String(cString: entry)
      if let equals = text.firstIndex(of: "=") {
        variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
      }
      next += 1
    }
    return variables
  }
}

/// The only door for texts to standard output and standard error. Texts of strangers are among them (titles, names of files and
/// devices): a terminal only shows them (`PlainText.shown`).
enum StandardStreams {
  /// Text of one line or of several, kept until there is enough to be written.
  static func print(_ text: String) {
    let end = text.hasSuffix("\n") ? "" : "\n"
    Swift.print(shown(text), terminator: end)
  }

  /// A checkup, which shows its texts itself and has colours of its own.
  static func print(_ checkup: Checkup, _ layout: CheckupText) { Swift.print(layout.text(checkup), terminator: "") }

  /// Lines to standard error, beside what a command prints.
  static func tellErrors(_ lines: [String]) {
    for line in lines { write(PlainText.shown(Redaction.text(line)), to: STDERR_FILENO) }
  }

  /// Lines to standard output that whoever reads it gets at once.
  static func tell(_ lines: [String]) { for line in lines { write(PlainText.shown(line), to: STDOUT_FILENO) } }

  /// Whoever puts lines together into a text has shown the parts that may have line breaks of their own.
  private static func shown(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { PlainText.shown(String($0)) }
      .joined(separator: "\n")
  }

  private static func write(_ line: String, to descriptor: Int32) {
    let bytes = Array((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }
}
