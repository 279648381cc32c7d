internal import Logging
internal import PlaybackCore
internal import PlaylistConfig

// The media that are listed come and go while the configuration stays.

extension ConfigurationSession {
  /// Media have come or gone.
  func mediaChanged() {
    guard refusedPlaces == nil, let active else { return feed(.fileChanged(setup.reader.set.main)) }
    let (reader, number) = numberedReader()
    submit { .refreshed(reader.refreshed(active, number: number)) }
  }

  func numberedReader() -> (ConfigurationReader, number: Int) {
    var reader = setup.reader
    reader.hidden = media.hidden
    defer { nextNumber += 1 }
    return (reader, nextNumber)
  }

  func followMedia() { media.follow(refusedPlaces ?? active?.places ?? MediaPlaces()) }

  /// The same texts, with other media: nothing but the lists is another thing.
  func refresh(to number: Int) {
    guard let revision = revisions[number] else { return }
    for problem in revision.problems where active?.problems.contains(problem) != true { log.error("\(problem.line)") }
    active = revision
    if confirmed?.textFingerprint == revision.textFingerprint {
      confirmed = revision
      // They are what was kept.
      _ = revision.texts.take()
    }
    log.notice("other media are there")
    follow(revision)
  }

  /// Of revisions that neither play nor are gone back to nobody needs anything.
  func forgetOthers() {
    let known = [active, confirmed].compactMap { $0?.number }
    revisions = revisions.filter { known.contains($0.key) }
  }
}
