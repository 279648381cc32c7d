internal import Logging
internal import PlaybackCore
internal import PlaylistConfig

// Follows listed media that come and go while the configuration stays.

extension ConfigurationSession {
  /// Looks up the items again, or tries the refused files again: media have come or gone.
  func mediaChanged() {
    guard files.refusedPlaces == nil, let active else { return feed(.fileChanged(setup.reader.set.main)) }
    let (reader, number) = numberedReader()
    submit { .refreshed(reader.refreshed(active, number: number)) }
  }

  func numberedReader() -> (ConfigurationReader, number: Int) {
    var reader = setup.reader
    reader.hidden = media.hidden
    return (reader, revisions.makeNumber())
  }

  func followMedia() { media.follow(files.refusedPlaces ?? active?.places ?? MediaPlaces()) }

  /// Puts a revision in place that has the same texts and other media: only the lists change.
  func refresh(to number: Int) {
    guard let revision = revisions[number] else { return }
    for problem in revision.problems where active?.problems.contains(problem) != true { log.error("\(problem.line)") }
    revisions.use(revision)
    if revisions.confirmed?.textFingerprint == revision.textFingerprint {
      revisions.confirm(revision)
      // These texts are on disk already: free them.
      _ = revision.texts.consume()
    }
    log.notice("the media files of the configuration have changed")
    follow(revision)
  }
}
