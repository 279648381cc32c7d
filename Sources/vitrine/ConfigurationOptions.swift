import ArgumentParser
import ConfigurationFiles
import FileSystem
import Glibc
import KioskCore
import PlaybackCore
import PlaylistConfig

/// The options that name the configuration, and override its settings.
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

  /// The usual path of the configuration. Root and services use the board's.
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

/// Writes all texts to standard output and standard error. Some come from strangers (titles, names of files and
/// devices): control characters are made visible (`PlainText.shown`).
enum StandardStreams {
  /// Writes text of one or several lines, with buffering.
  static func print(_ text: String) {
    let end = text.hasSuffix("\n") ? "" : "\n"
    Swift.print(shown(text), terminator: end)
  }

  /// Writes a checkup, which makes its control characters visible itself and has colours of its own.
  static func print(_ checkup: Checkup, _ layout: CheckupText) { Swift.print(layout.text(checkup), terminator: "") }

  /// Writes lines to standard error.
  static func printErrors(_ lines: [String]) {
    for line in lines { write(PlainText.shown(Redaction.text(line)), to: STDERR_FILENO) }
  }

  /// Writes lines to standard output without buffering, so that the reader gets them at once.
  static func printLines(_ lines: [String]) { for line in lines { write(PlainText.shown(line), to: STDOUT_FILENO) } }

  /// Makes control characters visible, line by line. Parts that may have line breaks were made visible before, by the
  /// caller.
  private static func shown(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { PlainText.shown(String($0)) }
      .joined(separator: "\n")
  }

  private static func write(_ line: String, to descriptor: Int32) {
    let bytes = Array((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }
}
