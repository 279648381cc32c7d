/// The numbers of the small pictures of films, each with its reason.
package enum PosterPolicy {
  /// The size that a picture fits in, in pixels: a tile of five in a row on a screen of 1920. Sides are even, as 4:2:0
  /// has them; with a third more each way, a list of 500 films would take 110 MB instead of 62.
  package static let box = PixelSize(width: 384, height: 216)

  /// Places where a frame is tried, as parts of what is played of the film: behind the opening titles first, and no
  /// later than two thirds, where films have their ends to hide.
  package static let places = [0.1, 0.2, 0.35, 0.5, 0.65]

  /// Films of a list that get a picture: a visitor turns no more pages. 500 pictures take 62 MB.
  package static let mostFilms = 500
  /// Pictures in memory: some pages of tiles. 64 take 21 MB.
  package static let mostInMemory = 64

  /// Bytes that all kept pictures together may have: those of `mostFilms`, with their heads.
  package static let mostBytes: Int64 = 64 << 20
  /// Pictures that are kept of films that aren't listed any more, as far as `mostBytes` allows: the list of a stick, or
  /// of a season, comes again.
  package static let mostUnlisted = 200
  /// Bytes that stay free on the disk: the last good configuration, plays and alerts are kept there too, and matter
  /// more.
  package static let spareBytes: Int64 = 64 << 20

  /// From the start to the first film. Before that the board opens its screens and what plays on them, and reads its
  /// copies.
  package static let startDelay: Duration = .seconds(20)
  /// Between two films: as long as a usual film takes, so that a processor of the board is free for half of the time.
  package static let pause: Duration = .seconds(2)
  /// Most time for opening a film, and as much again for its frames. The process runs only when nothing else does, so
  /// that a busy board takes long without a fault of the film's.
  package static let limit: Duration = .seconds(60)
}
