import ArgumentParser
import KioskRuntime
import MediaPipeline
import PlaybackCore
import PlaylistConfig

struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Say what is wrong with a configuration, all of it at once.",
    discussion: """
      Each line is path:line:column: [table].key: value: what is wrong, what is allowed. Media that can't be found are \
      warnings, because they may be on the board and not here; with --probe they are errors.

      EXIT CODES
        0   no errors; there may be warnings
        66  the configuration is right, but not all of its media can be played (--probe)
        78  the configuration has errors, or there is none
      """)

  @Argument(help: ArgumentHelp("A file, or a folder with vitrine.toml and conf.d.", valueName: "file|folder"))
  var path: String?

  @Flag(help: "Open every medium, up to its first frame, and say what it is.")
  var probe = false
  @Flag(help: "Print one JSON object.")
  var json = false
  @Flag(help: "Warnings are errors.")
  var strict = false
  @OptionGroup var source: ConfigurationOptions

  func run() throws {
    var source = source
    if let path { source.config = path }
    let loaded = source.load()
    var diagnostics = loaded.diagnostics
    var media: [ConfigurationCheck.Medium] = []
    var hasConfigurationErrors = diagnostics.contains { isError($0) }
    if let configuration = loaded.configuration {
      let check = ConfigurationCheck(configuration, isProbing: probe)
      hasConfigurationErrors = hasConfigurationErrors || check.settings.contains { $0.severity == .error }
      diagnostics += check.settings + check.diagnostics
      media = check.media
    }
    let errors = diagnostics.count { isError($0) }
    if json {
      print(report(diagnostics, media, errors: errors, fingerprint: loaded.fingerprint).pretty)
    } else {
      for medium in media { print("\(medium.keyPath).uri: \(medium.item.uri): \(medium.probe.summary)") }
      for diagnostic in diagnostics { print(diagnostic) }
      let warnings = diagnostics.count - errors
      print("\(source.config): \(counted(errors, "error")), \(counted(warnings, "warning"))")
    }
    if hasConfigurationErrors || loaded.configuration == nil {
      throw ExitCode(loaded.error?.exitStatus ?? KioskExit.configuration)
    }
    if errors > 0 { throw ExitCode(KioskExit.noSuchMedia) }
  }

  private func isError(_ diagnostic: Diagnostic) -> Bool { strict || diagnostic.severity == .error }

  private func counted(_ count: Int, _ word: String) -> String { count == 1 ? "1 \(word)" : "\(count) \(word)s" }

  private func report(
    _ diagnostics: [Diagnostic], _ media: [ConfigurationCheck.Medium], errors: Int, fingerprint: String?
  ) -> JSONValue {
    .object([
      JSONValue.Member("schema", .integer(1)),
      JSONValue.Member("ok", .boolean(errors == 0)),
      JSONValue.Member("fingerprint", fingerprint.map { .string($0) } ?? .null),
      JSONValue.Member("errors", .integer(Int64(errors))),
      JSONValue.Member("warnings", .integer(Int64(diagnostics.count - errors))),
      JSONValue.Member("diagnostics", .array(diagnostics.map(\.json))),
      JSONValue.Member("media", .array(media.map(\.json))),
    ])
  }
}

extension MediaProbe {
  /// `2.000 s, H.264 640x360 30/s (avdec_h264), AAC (avdec_aac)`
  fileprivate var summary: String {
    let length = duration.map { "\(($0.inSeconds * 1000).rounded() / 1000) s" } ?? (isLive ? "live" : nil)
    return ([length] + streams.map { $0.summary }).compactMap(\.self).joined(separator: ", ")
  }
}

extension MediaProbe.Stream {
  fileprivate var summary: String {
    let shape = [size.map { "\($0.width)x\($0.height)" }, rate.map { "\(($0 * 100).rounded() / 100)/s" }]
    let by = decoder.map { isHardware ? "(\($0), hardware)" : "(\($0))" }
    return ([codec] + shape + [by]).compactMap(\.self).joined(separator: " ")
  }

  fileprivate var json: JSONValue {
    .object([
      JSONValue.Member("kind", .string(kind.rawValue)),
      JSONValue.Member("codec", .string(codec)),
      JSONValue.Member("decoder", decoder.map { .string($0) } ?? .null),
      JSONValue.Member("hardware", .boolean(isHardware)),
      JSONValue.Member("width", size.map { .integer(Int64($0.width)) } ?? .null),
      JSONValue.Member("height", size.map { .integer(Int64($0.height)) } ?? .null),
      JSONValue.Member("rate", rate.map { .number($0) } ?? .null),
    ])
  }
}

extension ConfigurationCheck.Medium {
  fileprivate var json: JSONValue {
    .object([
      JSONValue.Member("key", .string("\(keyPath).uri")),
      JSONValue.Member("uri", .string(item.uri)),
      JSONValue.Member("duration", probe.duration.map { .number($0.inSeconds) } ?? .null),
      JSONValue.Member("live", .boolean(probe.isLive)),
      JSONValue.Member("streams", .array(probe.streams.map(\.json))),
    ])
  }
}
