import PlaybackCore
import PlaylistConfig
import Synchronization
import Testing

@Suite("Media that come and go, as values")
struct MediaWatchMachineTests {
  private typealias Machine = MediaWatchMachine

  /// A machine with a disk of its own, and its actions.
  private struct Run {
    var machine = MediaWatchMachine()
    var places = MediaPlaces()
    var disk: [String: FileStatus] = [:]
    var time: Int64 = 0

    static func status(_ size: Int64, _ kind: FileStatus.Kind = .regular) -> FileStatus {
      FileStatus(kind: kind, identity: FileStatus.Identity(device: 1, inode: 1), size: size, modified: size)
    }

    /// Looks up the listed media, like the owner: a folder `/f`, a list `/l.m3u`, and missing paths.
    mutating func follow(missing: [String] = []) {
      disk["/f"] = disk["/f"] ?? Self.status(0, .directory)
      places.seen = disk.filter { ["/f", "/l.m3u"].contains($0.key) }.reduce(into: [:]) {
        $0[FilePath($1.key)] = $1.value
      }
      places.missing = Set(missing.map { FilePath($0) })
      feed(.following(places))
    }

    mutating func write(_ path: String, _ size: Int64) {
      if disk[path] == nil, path.hasPrefix("/f/") { disk["/f"]?.modified += 1 }
      disk[path] = Self.status(size)
    }

    @discardableResult
    mutating func feed(_ event: MediaWatchMachine.Event, after seconds: Int64 = 0) -> [MediaWatchMachine.Action] {
      time += seconds
      return machine.handle(event, at: Instant(nanoseconds: time * 1_000_000_000))
    }

    /// Fires the timer and answers the look. Returns the files to hide if the media are to be looked up again, else
    /// nil.
    mutating func poll(after seconds: Int64 = 5) -> Set<String>? {
      let asked = feed(.timerFired, after: seconds)
      guard case .look(let places, _)? = asked.first else { return nil }
      var sight = MediaSight()
      for (path, status) in disk {
        let file = FilePath(path)
        if places.seen[file] != nil { sight.places[file] = status }
        if path.hasPrefix("/f/") || places.missing.contains(file) { sight.media[file] = status }
      }
      for case .lookUp(let hidden) in feed(.looked(sight)) { return Set(hidden.map(\.text)) }
      return nil
    }
  }

  @Test("Without a change, no media are looked up, and the board wakes only every few seconds")
  func quiet() {
    var run = Run()
    run.write("/f/a.mp4", 10)
    run.disk["/l.m3u"] = Run.status(3)
    run.follow()
    for _ in 0..<5 { #expect(run.poll() == nil) }
    #expect(run.feed(.following(run.places)) == [], "looked up again and the same")
  }

  @Test("A growing film counts once two looks find the same size; then the media are looked up once")
  func grows() {
    var run = Run()
    run.write("/f/a.mp4", 10)
    run.follow()
    #expect(run.poll(after: 0) == nil)
    for size: Int64 in [1, 5, 9] {
      run.write("/f/b.mp4", size)
      #expect(run.poll() == nil, "\(size)")
    }
    #expect(run.poll() == [])
    #expect(run.poll() == nil)
  }

  @Test("A film stays hidden while its writer lives, even if it doesn't grow")
  func written() {
    var run = Run()
    run.follow()
    #expect(run.poll(after: 0) == nil)
    run.write("/f/b.mp4", 5)
    run.feed(.writing(FilePath("/f/b.mp4")))
    for _ in 0..<2 { #expect(run.poll() == nil) }
    // Another file becomes complete meanwhile.
    run.write("/f/c.mp4", 7)
    #expect(run.poll() == nil)
    #expect(run.poll() == ["/f/b.mp4"], "of the two only the whole one counts")
    // Closed.
    run.feed(.settled(FilePath("/f/b.mp4")))
    #expect(run.poll() == [])
  }

  @Test("A writer that neither writes nor closes for half a minute counts as dead")
  func deadWriter() {
    var run = Run()
    run.follow()
    #expect(run.poll(after: 0) == nil)
    run.write("/f/b.mp4", 5)
    run.feed(.writing(FilePath("/f/b.mp4")))
    var looks = 1
    while run.poll() == nil, looks < 20 { looks += 1 }
    #expect(looks == 6)
  }

  @Test("An overwritten film is hidden until it is closed; a removed one goes at once")
  func overwritten() {
    var run = Run()
    run.write("/f/a.mp4", 10)
    run.write("/f/b.mp4", 10)
    run.follow()
    #expect(run.poll(after: 0) == nil)
    run.feed(.writing(FilePath("/f/a.mp4")))
    #expect(run.poll() == ["/f/a.mp4"])
    run.feed(.settled(FilePath("/f/a.mp4")))
    #expect(run.poll() == [])
    run.disk["/f/b.mp4"] = nil
    #expect(run.poll() == [])
    #expect(run.poll() == nil)
  }

  @Test(
    "The watch finds files from before the first look, missing files that come, changed lists and removed lists"
  )
  func others() {
    var run = Run()
    run.follow(missing: ["/late/film.mp4"])
    run.write("/f/a.mp4", 10)
    #expect(run.poll(after: 0) == nil)
    #expect(run.poll() == [])
    run.follow(missing: ["/late/film.mp4"])
    run.write("/late/film.mp4", 4)
    #expect(run.poll() == nil)
    #expect(run.poll() == [])
    run.disk["/l.m3u"] = Run.status(3)
    run.follow()
    #expect(run.poll() == nil)
    run.disk["/l.m3u"] = Run.status(4)
    #expect(run.poll() == nil)
    #expect(run.poll() == [])
    run.disk["/l.m3u"] = nil
    #expect(run.poll() == [])
    #expect(run.poll() == nil)
  }

  @Test("An event brings the next look forward once; further blocks of a large file don't")
  func signs() {
    var run = Run()
    run.follow()
    #expect(run.poll(after: 0) == nil)
    let first = run.feed(.writing(FilePath("/f/b.mp4")), after: 1)
    #expect(first == [.startTimer(after: .milliseconds(500))])
    for _ in 0..<3 { #expect(run.feed(.writing(FilePath("/f/b.mp4"))) == []) }
    #expect(run.feed(.following(MediaPlaces())) == [.stopTimer])
    #expect(run.feed(.timerFired, after: 9) == [])
  }

  @Test("An unchanged folder costs one question; a folder with a growing file is read as a whole")
  func frugal() {
    let files = FakeFiles(["/f/a.mp4": "a", "/f/b.txt": "b", "/f/.c.mp4": "c", "/f/d.mp4.part": "d"])
    var places = MediaPlaces()
    let note = { (places: inout MediaPlaces, files: FakeFiles) in
      places = MediaPlaces()
      if let status = try? files.status(of: FilePath("/f")) { places.seen[FilePath("/f")] = status }
    }
    note(&places, files)
    var look = MediaLook(files: files)
    #expect(look.scan(places, changing: []).media.keys.map(\.text) == ["/f/a.mp4"])
    let before = files.log.all.count
    #expect(look.scan(places, changing: []).media.count == 1)
    #expect(files.log.all.count == before + 1)
    #expect(look.scan(places, changing: [FilePath("/f/a.mp4")]).media.count == 1)
    #expect(files.log.all.count > before + 2)
  }

  @Test("Looking media up records the places, and hidden files are missing")
  func noted() throws {
    let files = FakeFiles(["/k/f/a.mp4": "a", "/k/f/b.mp4": "b", "/k/l.m3u": "f/a.mp4\nlate.mp4\n"])
    let places = PlacesBox()
    let listed = ListedFiles(files, hiding: [FilePath("/k/f/b.mp4")]) { places.add($0) }
    let found = ItemResolver(files: listed, configurationPath: "/k/v.toml").resolve(["f", "l.m3u", "gone.mp4"])
    #expect(found.items.map(\.uri) == ["file:///k/f/a.mp4", "file:///k/f/a.mp4"])
    #expect(
      places.value.seen.keys.map(\.text).sorted() == ["/k", "/k/f", "/k/l.m3u"],
      "in the first, names that are near were looked for")
    #expect(places.value.missing.map(\.text).sorted() == ["/k/gone.mp4", "/k/late.mp4"])
  }
}

/// Collects the recorded places, in one thread's order.
private final class PlacesBox: Sendable {
  private let places = Mutex(MediaPlaces())
  var value: MediaPlaces { places.withLock { $0 } }
  func add(_ note: ListedFiles<FakeFiles>.Note) { places.withLock { $0.add(note) } }
}
