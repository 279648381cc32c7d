import ConfigurationFiles
import KioskCore
import KioskRuntime
import MediaPipeline
import PlaybackCore
import PlaylistConfig

/// Reads the configuration's items, and opens some of them. Blocks.
struct ContentReader {
  /// All items of all lists.
  private(set) var items: [MediaItem] = []
  private(set) var state = DoctorFacts.ConfigurationState()

  /// The limits, each with its reason.
  private enum Limit {
    /// The number of opened local films: most lists have films of one kind.
    static let items = 12
    /// For all films together, because a person waits for the result.
    static let time: Duration = .seconds(30)
    /// More warnings would fill the page; `vitrine check` shows all.
    static let warnings = 5
    /// The number of the error for a film without a decoder (docs/errors.md).
    static let noDecoder = 4001
  }

  init(_ loaded: LoadedConfiguration, path: String) {
    state.path = path
    state.isMissing = loaded.error?.configurationNumber == .configurationMissing
    var diagnostics = loaded.diagnostics
    if let configuration = loaded.configuration {
      let check = ConfigurationCheck(configuration, isProbing: false)
      diagnostics += check.settings + check.diagnostics
      // Missing fonts have lines of their own.
      state.fontGaps = check.fonts.map { .init(package: $0.package, letters: $0.letters, titles: $0.titles) }
      for (_, playlist) in configuration.playlists.sorted(by: { $0.key < $1.key }) {
        items += ItemResolver().resolve(playlist, of: configuration).items
      }
    }
    state.errors = diagnostics.filter { $0.severity == .error }.map(\.description)
    if state.errors.isEmpty, let error = loaded.error, !state.isMissing { state.errors = [error.line] }
    if state.isMissing { state.errors = [] }
    let warnings = diagnostics.filter { $0.severity == .warning }.map(\.description)
    state.warnings = Array(warnings.prefix(Limit.warnings))
    if warnings.count > Limit.warnings { state.warnings.append("\(warnings.count - Limit.warnings) more warnings") }
    state.items = items.count
  }

  /// Opens local films in another process, and returns their codecs and the films that can't be played.
  func probe(avoiding avoided: MediaProber.Avoided) -> (codecs: [VideoCodec], problems: [DoctorFacts.Decoding.Item]) {
    var seen: Set<String> = []
    let films = items.filter { !$0.isRemote && seen.insert($0.uri).inserted }.prefix(Limit.items)
    let prober = MediaProber { avoided }
    defer { prober.rest() }
    let deadline = Instant.monotonicNow + Limit.time
    var codecs: [VideoCodec] = []
    var problems: [DoctorFacts.Decoding.Item] = []
    for film in films where Instant.monotonicNow < deadline {
      do throws(VitrineError) {
        codecs += try prober.open(film).streams.filter { $0.kind == .video }.compactMap(\.format)
      } catch {
        problems.append(
          DoctorFacts.Decoding.Item(
            name: Redaction.value(film.uri), message: error.message + (error.detail.isEmpty ? "" : ": \(error.detail)"),
            remedy: error.remedy, lacksDecoder: error.number == Limit.noDecoder))
      }
    }
    return (codecs, problems)
  }
}
