import PlaybackCore
import PlaylistConfig
import Synchronization
import Testing

@Suite("Media that come and go, as values")
struct MediaWatchMachineTests {
  private typealias Machine = MediaWatchMachine

  /// A machine with a disk of its own, and what it has said.
  private struct Run {
    var machine = MediaWatchMachine()
    var places = MediaPlaces()
    var disk: [String: FileStatus] = [:]
    var time: Int64 = 0

    static func status(_ size: Int64, _ kind: FileStatus.Kind = .regular) -> FileStatus {
      FileStatus(kind: kind, identity: FileStatus.Identity(device: 1, inode: 1), size: size, modified: size)
    }

    /// Looks up what is listed, as the owner does: a folder `/f`, a list `/l.m3u`, and what isn't there.
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

    /// The timer fires, and somebody looks. What is to be hidden, where it is to be looked up; nil where not.
    mutating func look(after seconds: Int64 = 5) -> Set<String>? {
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

  @Test("Nothing changes: nothing is looked up, and nobody is woken more often than every few seconds")
  func quiet() {
    var run = Run()
    run.write("/f/a.mp4", 10)
    run.disk["/l.m3u"] = Run.status(3)
    run.follow()
    for _ in 0..<5 { #expect(run.look() == nil) }
    #expect(run.feed(.following(run.places)) == [], "looked up again and the same")
  }

  @Test("A film that grows counts once it has had one size for a look; then what is listed is looked up once")
  func grows() {
    var run = Run()
    run.write("/f/a.mp4", 10)
    run.follow()
    #expect(run.look(after: 0) == nil)
    for size: Int64 in [1, 5, 9] {
      run.write("/f/b.mp4", size)
      #expect(run.look() == nil, "\(size)")
    }
    #expect(run.look() == [])
    #expect(run.look() == nil)
  }

  @Test("A film that is being written stays hidden while its writer lives, also where its size stands still")
  func written() {
    var run = Run()
    run.follow()
    #expect(run.look(after: 0) == nil)
    run.write("/f/b.mp4", 5)
    run.feed(.writing(FilePath("/f/b.mp4")))
    for _ in 0..<2 { #expect(run.look() == nil) }
    // Another one is whole meanwhile.
    run.write("/f/c.mp4", 7)
    #expect(run.look() == nil)
    #expect(run.look() == ["/f/b.mp4"], "of the two only the whole one counts")
    // Closed.
    run.feed(.settled(FilePath("/f/b.mp4")))
    #expect(run.look() == [])
  }

  @Test("A writer that neither writes nor closes for half a minute counts as dead")
  func deadWriter() {
    var run = Run()
    run.follow()
    #expect(run.look(after: 0) == nil)
    run.write("/f/b.mp4", 5)
    run.feed(.writing(FilePath("/f/b.mp4")))
    var looks = 1
    while run.look() == nil, looks < 20 { looks += 1 }
    #expect(looks == 6)
  }

  @Test("A film that is written over is hidden until it is closed; one that is removed goes at once")
  func overwritten() {
    var run = Run()
    run.write("/f/a.mp4", 10)
    run.write("/f/b.mp4", 10)
    run.follow()
    #expect(run.look(after: 0) == nil)
    run.feed(.writing(FilePath("/f/a.mp4")))
    #expect(run.look() == ["/f/a.mp4"])
    run.feed(.settled(FilePath("/f/a.mp4")))
    #expect(run.look() == [])
    run.disk["/f/b.mp4"] = nil
    #expect(run.look() == [])
    #expect(run.look() == nil)
  }

  @Test(
    "What came between the look-up and the first look is found, and so is what was missing, a list that is another one, one that goes"
  )
  func others() {
    var run = Run()
    run.follow(missing: ["/late/film.mp4"])
    run.write("/f/a.mp4", 10)
    #expect(run.look(after: 0) == nil)
    #expect(run.look() == [])
    run.follow(missing: ["/late/film.mp4"])
    run.write("/late/film.mp4", 4)
    #expect(run.look() == nil)
    #expect(run.look() == [])
    run.disk["/l.m3u"] = Run.status(3)
    run.follow()
    #expect(run.look() == nil)
    run.disk["/l.m3u"] = Run.status(4)
    #expect(run.look() == nil)
    #expect(run.look() == [])
    run.disk["/l.m3u"] = nil
    #expect(run.look() == [])
    #expect(run.look() == nil)
  }

  @Test("A sign of change brings the next look forward, once; a large file's blocks bring it forward no more")
  func signs() {
    var run = Run()
    run.follow()
    #expect(run.look(after: 0) == nil)
    let first = run.feed(.writing(FilePath("/f/b.mp4")), after: 1)
    #expect(first == [.startTimer(after: .milliseconds(500))])
    for _ in 0..<3 { #expect(run.feed(.writing(FilePath("/f/b.mp4"))) == []) }
    #expect(run.feed(.following(MediaPlaces())) == [.stopTimer])
    #expect(run.feed(.timerFired, after: 9) == [])
  }

  @Test("A folder that nobody has touched is one question; one with a file that grows is looked at as a whole")
  func frugal() {
    let files = FakeFiles(["/f/a.mp4": "a", "/f/b.txt": "b", "/f/.c.mp4": "c", "/f/d.mp4.part": "d"])
    var places = MediaPlaces()
    let note = { (places: inout MediaPlaces, files: FakeFiles) in
      places = MediaPlaces()
      if let status = try? files.status(of: FilePath("/f")) { places.seen[FilePath("/f")] = status }
    }
    note(&places, files)
    var look = MediaLook(files: files)
    #expect(look.look(at: places, changing: []).media.keys.map(\.text) == ["/f/a.mp4"])
    let before = files.log.all.count
    #expect(look.look(at: places, changing: []).media.count == 1)
    #expect(files.log.all.count == before + 1)
    #expect(look.look(at: places, changing: [FilePath("/f/a.mp4")]).media.count == 1)
    #expect(files.log.all.count > before + 2)
  }

  @Test("Where media are looked up, it is noted where, and what is hidden isn't there")
  func noted() throws {
    let files = FakeFiles(["/k/f/a.mp4": "a", "/k/f/b.mp4": "b", "/k/l.m3u": "f/a.mp4\nlate.mp4\n"])
    let places = PlacesBox()
    let listed = ListedFiles(files, hiding: [FilePath("/k/f/b.mp4")]) { places.take($0) }
    let found = ItemResolver(files: listed, configurationPath: "/k/v.toml").resolve(["f", "l.m3u", "gone.mp4"])
    #expect(found.items.map(\.uri) == ["file:///k/f/a.mp4", "file:///k/f/a.mp4"])
    #expect(
      places.value.seen.keys.map(\.text).sorted() == ["/k", "/k/f", "/k/l.m3u"],
      "in the first, names that are near were looked for")
    #expect(places.value.missing.map(\.text).sorted() == ["/k/gone.mp4", "/k/late.mp4"])
  }
}

/// What was noted, in the order in which one thread does it.
private final class PlacesBox: Sendable {
  private let places = Mutex(MediaPlaces())
  var value: MediaPlaces { places.withLock { $0 } }
  func take(_ note: ListedFiles<FakeFiles>.Note) { places.withLock { $0.take(note) } }
}
