import ArgumentParser
import JSONText
import PlaybackCore
import PlaylistConfig

struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Show the configuration that is in use, or the format.",
    subcommands: [Show.self, SchemaCommand.self])

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print every setting with its value.",
      discussion: """
        The files are read as `run` reads them. Problems go to standard error. Addresses are without user, password \
        and what stands after their path.
        """)

    @OptionGroup var source: ConfigurationOptions
    @Flag(help: "Print where each value comes from: a file and line, a variable, an option, or default.")
    var origin = false

    func run() throws {
      let loaded = source.load()
      StandardStreams.printErrors(loaded.diagnostics.map(\.description))
      let entries = ConfigurationOrigins(loaded).entries
      let settings = entries.map { "\($0.key) = \($0.value)" }
      let width = settings.map(\.count).filter { $0 <= 60 }.max() ?? 0
      for (entry, setting) in zip(entries, settings) {
        let padding = String(repeating: " ", count: max(0, width - setting.count))
        StandardStreams.print(origin ? "\(setting)\(padding)  # \(entry.origin)" : setting)
      }
      if let error = loaded.error { throw ExitCode(error.exitStatus) }
    }
  }

  struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "schema", abstract: "Print the format of the configuration as a file with comments.")

    @Flag(help: "Print it as JSON Schema, for editors.")
    var json = false
    @Flag(help: "Print it as the page docs/configuration.md.")
    var markdown = false

    func validate() throws {
      if json, markdown { throw ValidationError("Choose one of --json and --markdown.") }
    }

    func run() {
      if json {
        StandardStreams.print(ConfigurationDocuments.jsonSchema.pretty)
      } else {
        StandardStreams.print(markdown ? ConfigurationDocuments.markdown : ConfigurationDocuments.commentedTOML)
      }
    }
  }
}
