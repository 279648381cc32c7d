import ArgumentParser
import ConfigurationFiles
import FileSystem
import InteractionCore
import JSONText
import KioskRuntime
import PlaybackCore
import PlaylistConfig

struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Report everything that is wrong with a configuration or with media.",
    discussion: """
      Each line is path:line:column: [table].key: value: what is wrong, what is allowed. Media that can't be found are \
      warnings, because they may be on the board and not here; with --probe they are errors. With --probe, media can be \
      named too, without any configuration.

      --probe says whether the board plays a film in time, by its profile, and how to convert it if not; \
      VITRINE_BOARD=raspberry-pi-4 asks for another board than this one.

      --language checks the file of a language in place of a configuration (docs/languages.md).

      EXIT CODES
        0   no errors; there may be warnings
        66  with --probe: the configuration is right, but not all media can be played
        78  the configuration has errors, or there is none
      """)

  @Argument(
    help: ArgumentHelp(
      "A file, or a folder with vitrine.toml and conf.d; with --probe, media.", valueName: "file|folder|media"))
  var paths: [String] = []

  @Flag(help: "Open every medium, up to its first frame, and say what it is and whether the board plays it.")
  var probe = false
  @Option(
    help: ArgumentHelp("Check the file of a language: every text and placeholder has to be there.", valueName: "file"))
  var language: String?
  @Flag(help: "Print one JSON object.")
  var json = false
  @Flag(help: "Warnings are errors.")
  var strict = false
  @OptionGroup var source: ConfigurationOptions

  func validate() throws {
    guard language == nil || (paths.isEmpty && !probe) else {
      throw ValidationError("--language names the one file that is checked.")
    }
    guard paths.count <= 1 || isAboutMedia else {
      throw ValidationError("one configuration can be checked at a time; media need --probe.")
    }
  }

  func run() throws {
    let findings =
      language.map(languageFindings) ?? (isAboutMedia ? mediaFindings() : configurationFindings())
    if json {
      StandardStreams.print(findings.json.pretty)
    } else {
      for line in findings.lines { StandardStreams.print(line) }
    }
    if findings.exitCode != KioskExit.done { throw ExitCode(findings.exitCode) }
  }

  // MARK: A language

  private func languageFindings(_ path: String) -> CheckFindings {
    let loaded = LanguageFolders.read(path: path)
    var findings = CheckFindings(subject: path, isStrict: strict)
    findings.diagnostics = loaded.diagnostics
    findings.settingsCount = loaded.diagnostics.count
    findings.problem = loaded.problem
    findings.diagnostics += ConfigurationCheck.fonts(of: loaded.texts, path: path)
    return findings
  }

  // MARK: A configuration

  private func configurationFindings() -> CheckFindings {
    var source = source
    if let path = paths.first { source.config = path }
    let loaded = source.load()
    var findings = CheckFindings(subject: source.config, isStrict: strict)
    findings.fingerprint = loaded.fingerprint
    findings.diagnostics = loaded.diagnostics
    findings.settingsCount = loaded.diagnostics.count
    findings.failure = loaded.configuration == nil ? loaded.error?.exitStatus ?? KioskExit.configuration : nil
    if let configuration = loaded.configuration {
      let board = probe ? Board.asked : .unknown
      findings.board = board.name
      if probe { findings.diagnostics += Board.problems }
      let check = ConfigurationCheck(configuration, isProbing: probe, board: board, by: MediaProber())
      let language = self.language(of: configuration, source)
      let settings = check.settings + language
      findings.diagnostics += settings + check.diagnostics + check.fonts.map(\.diagnostic)
      findings.settingsCount += settings.count
      findings.media = check.media.map { ("\($0.keyPath).uri", $0.medium) }
    }
    return findings
  }

  /// Warnings: visitors read English then.
  private func language(of configuration: Configuration, _ source: ConfigurationOptions) -> [Diagnostic] {
    let loaded = Languages.folders(beside: source.files.main).load(configuration.overlay.look.language)
    var findings = loaded.diagnostics.map { diagnostic in
      var warning = diagnostic
      warning.severity = .warning
      return warning
    }
    if let problem = loaded.problem {
      findings.append(
        Diagnostic(
          .warning, path: configuration.sources.first ?? "configuration", position: nil, keyPath: "[overlay].language",
          value: configuration.overlay.look.language.map { "\"\($0)\"" },
          message: "\(problem.message) (error \(problem.number))", allowed: problem.remedy))
    }
    return findings + ConfigurationCheck.fonts(of: loaded.texts, path: loaded.path ?? source.config)
  }

  // MARK: Media

  /// Whether the paths name media: each one that doesn't look like a configuration by its name is a medium.
  private var isAboutMedia: Bool {
    guard probe, !paths.isEmpty else { return false }
    let files = SystemFileAccess()
    return paths.allSatisfy { path in
      guard !path.hasSuffix(".toml") else { return false }
      let names = (try? files.names(in: FilePath(path))) ?? []
      return !names.contains { [Array("vitrine.toml".utf8), Array("conf.d".utf8)].contains($0) }
    }
  }

  private func mediaFindings() -> CheckFindings {
    var findings = CheckFindings(
      subject: paths.count == 1 ? paths[0] : "\(paths.count) media", isStrict: strict)
    let board = Board.asked
    let prober = MediaProber()
    findings.board = board.name
    findings.diagnostics += Board.problems
    for path in paths {
      let found = ItemResolver().resolve([path])
      var problems = found.problems
      for item in found.items {
        do throws(VitrineError) {
          let medium = try ProbedMedium(item, for: board, by: prober)
          findings.media.append(("", medium))
          findings.diagnostics += besideFindings(item, medium, prober)
          if let problem = medium.problem(on: board) {
            findings.diagnostics.append(
              Diagnostic(.warning, path: path, position: nil, message: problem.message, allowed: problem.remedy))
          }
        } catch {
          let remedy = ProbedMedium.remedy(for: error, item, on: board)
          problems.append(error)
          if let remedy { problems[problems.count - 1].remedy += "; \(remedy)" }
        }
      }
      findings.diagnostics += problems.map { problem in
        let subject = problem.subject == Redaction.value(path) || found.items.count == 1 ? "" : "\(problem.subject): "
        return Diagnostic(
          path: path, position: nil, message: "\(subject)\(problem.message) (error \(problem.number))",
          allowed: problem.remedy)
      }
    }
    return findings
  }

  /// The faults of the files that belong to a film beside it.
  private func besideFindings(_ item: MediaItem, _ film: ProbedMedium, _ prober: MediaProber) -> [Diagnostic] {
    let problems = BesideProblem.find(of: item, film: film.facts) { beside in
      Result { () throws(VitrineError) in try prober.open(beside) }
    }
    return problems.map { problem in
      Diagnostic(
        problem.isError ? .error : .warning, path: Redaction.value(problem.uri), position: nil,
        message: problem.message, allowed: problem.remedy)
    }
  }
}
