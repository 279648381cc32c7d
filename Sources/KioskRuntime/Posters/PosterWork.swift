internal import FileModel
internal import InteractionCore
internal import KioskCore
internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore

/// The work of a `PosterSession` off the loop. Every call blocks.
struct PosterWork: Sendable {
  /// Nil keeps no pictures.
  let folder: PosterFolder?
  let prober: MediaProber
  let box = PosterPolicy.box

  /// The numbers of this process's pictures.
  private static let numbers = Locked(0)

  /// Looks what is kept of each film, and removes what is kept of others.
  func survey(_ items: [MediaItem]) -> [MediaItem: PosterMachine.Survey] {
    var found: [MediaItem: PosterMachine.Survey] = [:]
    for (item, files) in zip(items, FilesBeside.find(for: items)) {
      let name = PosterFolder.name(of: item, in: box)
      let kept = name.flatMap { name in folder?.survey(name) }
      var survey = PosterMachine.Survey(name: name, kept: kept, hasCaptionFiles: files.hasCaptions)
      survey.hasDescriptionFiles = files.hasDescription
      found[item] = survey
    }
    folder?.removeOthers(than: Set(found.values.compactMap(\.name)))
    return found
  }

  /// A film's kept picture; nil without one, or where its file is damaged.
  func load(_ item: MediaItem) -> TilePoster? {
    PosterFolder.name(of: item, in: box).flatMap { folder?.image($0, in: box) }.flatMap(poster)
  }

  /// The result for a film: for the machine, and the reasons why it has no picture or why that isn't kept.
  struct Made: Sendable {
    var outcome: PosterMachine.Made
    var problem: VitrineError?
    /// Why the item's own poster can't be used.
    var posterProblem: VitrineError?
    var diskProblem: FileError?
  }

  /// Makes the picture and keeps it.
  func make(_ item: MediaItem) -> Made {
    guard let name = PosterFolder.name(of: item, in: box) else { return Made(outcome: .nothing) }
    var (facts, image) = (FilmFacts(), PosterImage?.none)
    var problem: VitrineError?
    if PosterMachine.isOpened(item) {
      do throws(VitrineError) {
        (facts, image) = try prober.film(item, in: box, limit: PosterPolicy.limit)
      } catch {
        problem = error
        guard Self.isOfFilm(error) else { return Made(outcome: .nothing, problem: error) }
      }
    }
    let own = item.poster.map(read)
    if let poster = own?.image { image = poster }
    // A file that has changed meanwhile isn't the one that was opened.
    guard PosterFolder.name(of: item, in: box) == name else { return Made(outcome: .nothing, problem: problem) }
    var diskProblem: FileError?
    // A poster that couldn't be read for want of time is tried again in the next run.
    let isFinal = own?.problem.map(Self.isOfFilm) ?? true
    if isFinal {
      do throws(FileError) { try folder?.keep(facts, image, as: name) } catch { diskProblem = error }
    }
    let isKept = folder != nil && isFinal && diskProblem == nil
    return Made(
      outcome: .film(facts, image.flatMap(poster), isKept: isKept), problem: problem, posterProblem: own?.problem,
      diskProblem: diskProblem)
  }

  /// Reads an item's own poster: its picture, or the fault of its file.
  private func read(_ poster: String) -> (image: PosterImage?, problem: VitrineError?) {
    do throws(VitrineError) {
      return (try prober.film(MediaItem(uri: poster, kind: .picture), in: box, limit: PosterPolicy.limit).image, nil)
    } catch {
      return (nil, error)
    }
  }

  /// Whether a failure is the film's own, and comes each time: not for want of time (4101), of a process (7514), or of
  /// its limits (7516).
  private static func isOfFilm(_ error: VitrineError) -> Bool {
    ![4101, SurvivalErrors.noProbe, SurvivalErrors.probeSpent].contains(error.number)
  }

  private func poster(_ image: PosterImage) -> TilePoster? {
    let number = Self.numbers.withLock { numbers in
      numbers += 1
      return numbers
    }
    return TilePoster(number: number, size: image.size, pixels: image.xrgb())
  }
}
