import Foundation
import InteractionCore
import KioskTestSupport
import PlaybackCore
import Testing

@testable import KioskRuntime

/// Real films, opened by `vitrine probe-part`.
@Suite("Posters: a session and its process", .serialized)
struct PosterSessionTests {
  private func film(_ path: String, start: Duration = .zero, end: Duration? = nil) -> MediaItem {
    MediaItem(uri: path, kind: .file, start: start, end: end)
  }

  /// A film of pictures that ffmpeg makes.
  private func make(_ name: String, _ arguments: [String], in directory: TemporaryDirectory) async throws -> String {
    let path = directory.path(name)
    let outcome = try await Tool.run("ffmpeg", ["-v", "error", "-nostdin"] + arguments + [path])
    try #require(outcome.status == 0, "\(outcome.errors)")
    return path
  }

  /// Two scenes after each other, each with a number of seconds. One key frame each second, or only the first.
  private func make(
    _ name: String, _ scenes: (String, Int), hasKeyFrames: Bool = true, in directory: TemporaryDirectory,
    seconds: Int
  ) async throws -> String {
    func source(_ scene: String, _ seconds: Int) -> [String] {
      ["-f", "lavfi", "-i", "\(scene)\(scene.contains("=") ? ":" : "=")size=320x180:rate=25:duration=\(seconds)"]
    }
    return try await make(
      name,
      source(scenes.0, scenes.1) + source(scenes.0 == "testsrc2" ? "color=black" : "testsrc2", seconds)
        + ["-filter_complex", "[0][1]concat=n=2,format=yuv420p", "-c:v", "libx264", "-preset", "ultrafast"]
        + ["-g", hasKeyFrames ? "25" : "100000", "-sc_threshold", "0"], in: directory)
  }

  @Test("A film that begins black has a picture from behind that; length and pauses are as they should be")
  func beginsBlack() async throws {
    let directory = try TemporaryDirectory()
    let item = film(try await make("film.mp4", ("color=black", 4), in: directory, seconds: 8))
    let bench = try PosterBench(folder: directory.path("posters"))
    await bench.follow([item])
    // Nothing begins before the list was looked at, nor at once then.
    try await eventually("a timer") { await bench.nextBegin != nil }
    #expect(await bench.nextBegin == PosterPolicy.startDelay)
    #expect(await bench.facts(of: item) == TileFacts())
    let poster = try await bench.poster(of: item)
    #expect(poster.size == PixelSize(width: 320, height: 180) && poster.brightness() > 60)
    #expect(await bench.facts(of: item).length == .seconds(12))
    if let folder = ProcessInfo.processInfo.environment["VITRINE_POSTERS"] {
      try poster.ppm.write(to: URL(filePath: "\(folder)/begins-black.ppm"))
    }
    await bench.stop()
  }

  @Test("No picture comes from a part that isn't played, even if the only key frame is there")
  func playedPart() async throws {
    let directory = try TemporaryDirectory()
    let path = try await make("film.mp4", ("testsrc2", 4), hasKeyFrames: false, in: directory, seconds: 8)
    let (black, bright) = (film(path, start: .seconds(5)), film(path, end: .seconds(3)))
    let bench = try PosterBench(folder: nil)
    await bench.follow([black, bright])
    #expect(try await bench.poster(of: black).brightness() < 10)
    #expect(try await bench.poster(of: bright).brightness() > 60)
    #expect(await bench.facts(of: black).length == .seconds(7))
    await bench.stop()
  }

  @Test("Films that were filmed on their side stand upright, and mirrored ones are mirrored back")
  func turned() async throws {
    let bench = try PosterBench(folder: nil)
    var items: [String: MediaItem] = [:]
    for name in ["portrait", "mirrored", "upside-down", "portrait-anamorphic"] {
      items[name] = film(try await Media.path("\(name)-320x180-25.mp4"))
    }
    await bench.follow(items.values.sorted { $0.uri < $1.uri })
    let middle = 0.4...0.6
    // The bars of these films go from white to black, as stored from the left to the right.
    let portrait = try await bench.poster(of: try #require(items["portrait"]))
    #expect(portrait.size.width < portrait.size.height && portrait.size.height <= PosterPolicy.box.height)
    #expect(portrait.brightness(middle, 0...0.12) > portrait.brightness(middle, 0.88...1) + 100)
    for name in ["mirrored", "upside-down"] {
      let poster = try await bench.poster(of: try #require(items[name]))
      #expect(poster.size.width > poster.size.height)
      #expect(poster.brightness(0.88...1, middle) > poster.brightness(0...0.12, middle) + 100, "\(name)")
    }
    let anamorphic = try await bench.poster(of: try #require(items["portrait-anamorphic"]))
    #expect(anamorphic.size != portrait.size)
    await bench.stop()
  }

  @Test("Pixels that aren't square become square")
  func anamorphic() async throws {
    let bench = try PosterBench(folder: nil)
    let item = film(try await Media.path("anamorphic-720x576.mp4"))
    await bench.follow([item])
    #expect(try await bench.poster(of: item).size == PixelSize(width: 288, height: 216))
    await bench.stop()
  }

  @Test("Pictures in all of EXIF's orientations look alike")
  func pictures() async throws {
    let bench = try PosterBench(folder: nil)
    var items: [MediaItem] = []
    for number in 1...8 {
      items.append(MediaItem(uri: try await Pictures.path("turned-\(number).jpg"), kind: .picture))
    }
    await bench.follow(items)
    let upright = try await bench.poster(of: items[0])
    for item in items.dropFirst() {
      let poster = try await bench.poster(of: item)
      #expect(poster.size == upright.size && poster.difference(from: upright) < 6, "\(item.uri)")
    }
    #expect(await bench.facts(of: items[0]).length == nil)
    await bench.stop()
  }

  @Test("Sound has its length and no picture; what is no film has nothing; the next film has its picture")
  func withoutPicture() async throws {
    let directory = try TemporaryDirectory()
    let (sound, text) = (film(try await Media.path("tagged.mp3")), film(try await Media.path("text.mp4")))
    let cut = film(try await Media.path("truncated-faststart.mp4"))
    let good = film(try await Media.path("h264-640x360-30-2s.mp4"))
    let bench = try PosterBench(folder: directory.path("posters"))
    await bench.follow([sound, text, cut, good])
    _ = try await bench.poster(of: good)
    let length = try #require(await bench.facts(of: sound).length)
    #expect(abs(length.inSeconds - 1) < 0.2)
    for item in [sound, text] { #expect(await bench.facts(of: item).poster == nil) }
    // A film whose end is missing has a picture from what is there.
    #expect(await bench.facts(of: cut).poster != nil)
    #expect(await bench.facts(of: text) == TileFacts())
    // They are remembered as such.
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path("posters")).count == 4)
    await bench.stop()
  }

  @Test("Captions, languages and descriptions are told: in the file, beside it, by a title, by an MP4's name")
  func signs() async throws {
    let directory = try TemporaryDirectory()
    let tracks = MediaItem(uri: try await Media.path("tracks-320x240-25.mkv"), kind: .file)
    let picture = ["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=2"]
    let sounds = ["-f", "lavfi", "-i", "sine=duration=2", "-map", "0", "-map", "1", "-map", "1"]
    let codec = ["-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "ultrafast", "-c:a"]
    func film(_ name: String, _ end: [String]) async throws -> MediaItem {
      self.film(try await make(name, picture + sounds + codec + end, in: directory))
    }
    let titled = try await film("titled.mkv", ["libvorbis", "-metadata:s:a:1", "title=Audio description"])
    let named = try await film("named.mp4", ["aac", "-metadata:s:a:1", "handler_name=Audio description"])
    _ = try directory.write("1\n00:00:00,000 --> 00:00:01,000\nHello\n", as: "named.de.srt")
    _ = try directory.write("1\n00:00:00,000 --> 00:00:01,000\nHello\n", as: "titled.forced.srt")
    let bench = try PosterBench(folder: nil)
    await bench.follow([tracks, titled, named])
    for item in [tracks, titled, named] { _ = try await bench.poster(of: item) }
    func signs(_ item: MediaItem) async -> [Bool] {
      let facts = await bench.facts(of: item)
      return [facts.hasCaptions, facts.hasDescription, facts.hasLanguages]
    }
    #expect(await signs(tracks) == [true, false, true])
    #expect(await signs(titled) == [false, true, false])
    #expect(await signs(named) == [true, true, false])
    await bench.stop()
  }

  @Test("A later run reads what is kept, without a process; a file that was cut is made again")
  func keptOnDisk() async throws {
    let directory = try TemporaryDirectory()
    let folder = directory.path("posters")
    let items = [
      film(try await Media.path("h264-640x360-30-2s.mp4")), film(try await Media.path("text.mp4")),
      film(try await Media.path("tracks-320x240-25.mkv")),
    ]
    let first = try PosterBench(folder: folder)
    await first.follow(items)
    let pictures = [try await first.poster(of: items[0]), try await first.poster(of: items[2])]
    let facts = await first.facts(of: items[2])
    await first.stop()

    let second = try PosterBench(folder: folder, program: nil)
    await second.follow(items)
    // Nothing is left to make, the broken file among it.
    try await eventually("the list was looked at") { await second.changes > 0 }
    #expect(await second.nextBegin == nil)
    for (item, picture) in zip([items[0], items[2]], pictures) {
      #expect(try await second.poster(of: item).pixels == picture.pixels)
    }
    #expect(await second.facts(of: items[2]).length == facts.length)
    #expect(await second.facts(of: items[2]).hasLanguages)
    await second.stop()

    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    for name in names {
      let file = URL(filePath: "\(folder)/\(name)")
      let bytes = try Data(contentsOf: file)
      if bytes.count > 2000 { try bytes.prefix(bytes.count / 2).write(to: file) }
    }
    let third = try PosterBench(folder: folder)
    await third.follow(items)
    #expect(try await third.poster(of: items[0]).pixels == pictures[0].pixels)
    await third.stop()
  }

  @Test("A kept picture whose content was lost is made again when a visitor comes to it")
  func lostContent() async throws {
    let directory = try TemporaryDirectory()
    let folder = directory.path("posters")
    let item = film(try await Media.path("h264-640x360-30-2s.mp4"))
    let first = try PosterBench(folder: folder)
    await first.follow([item])
    let picture = try await first.poster(of: item)
    await first.stop()
    let file = URL(filePath: "\(folder)/\(try #require(PosterFolder.name(of: item, in: PosterPolicy.box)))")
    var bytes = try Data(contentsOf: file)
    bytes.replaceSubrange((bytes.count - 500)..., with: Data(count: 500))
    try bytes.write(to: file)
    let second = try PosterBench(folder: folder)
    await second.follow([item])
    await second.show([item])
    #expect(try await second.poster(of: item).pixels == picture.pixels)
    await second.stop()
    #expect(try Data(contentsOf: file) != bytes)
  }

  @Test("A film that kills its decoder costs a process, and is remembered; the next film has its picture")
  func crash() async throws {
    let directory = try TemporaryDirectory()
    let made = try await Tool.run(
      "make", ["-C", Tool.root.appending(path: "Tests/Tools/crash").path, "BUILD=\(directory.url.path)"])
    try #require(made.status == 0, "\(made.errors)")
    let program = try directory.write(
      "#!/bin/bash\nexport LD_PRELOAD=\(directory.path("crash.so")) CRASH_AT=0\nexec '\(Player.path)' \"$@\"\n",
      as: "program")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    let clip = try Data(contentsOf: URL(filePath: try await Media.path("h264-640x360-30-2s.mp4")))
    try (clip + Data("CRASHES!".utf8)).write(to: URL(filePath: directory.path("bad.mp4")))
    try clip.write(to: URL(filePath: directory.path("good.mp4")))
    let (bad, good) = (film(directory.path("bad.mp4")), film(directory.path("good.mp4")))
    let bench = try PosterBench(folder: directory.path("posters"), program: program)
    await bench.follow([bad, good])
    _ = try await bench.poster(of: good)
    #expect(bench.told.contains { $0.contains("bad.mp4") && $0.contains("3041") })
    #expect(await bench.facts(of: bad) == TileFacts())
    await bench.stop()
    let next = try PosterBench(folder: directory.path("posters"), program: nil)
    await next.follow([bad, good])
    try await eventually("the list was looked at") { await next.changes > 0 }
    #expect(await next.nextBegin == nil)
    _ = try await next.poster(of: good)
    await next.stop()
  }

  @Test("A folder that can't be written to is told once, and the pictures are in memory")
  func noDisk() async throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write("", as: "file")
    let items = [
      film(try await Media.path("h264-640x360-30-2s.mp4")), film(try await Media.path("tracks-320x240-25.mkv")),
    ]
    let bench = try PosterBench(folder: file + "/posters")
    await bench.follow(items)
    for item in items { _ = try await bench.poster(of: item) }
    #expect(bench.told.filter { $0.contains("7680") }.count == 1)
    await bench.stop()
  }

  @Test("A film on a server has no picture, and no process is started; its copy has one")
  func copies() async throws {
    let remote = MediaItem(
      uri: "http://127.0.0.1:9/film.mp4", kind: .progressive, subtitles: ["http://127.0.0.1:9/a.srt"])
    let bench = try PosterBench(folder: nil)
    await bench.follow([remote])
    try await eventually("the list was looked at") { await bench.changes > 0 }
    #expect(await bench.nextBegin == nil)
    #expect(await bench.facts(of: remote).hasCaptions)
    let copy = MediaCopy(uri: film(try await Media.path("h264-640x360-30-2s.mp4")).uri)
    #expect(await !bench.copiesChanged(["http://127.0.0.1:9/other.mp4": copy]))
    #expect(await bench.copiesChanged([remote.uri: copy]))
    #expect(await !bench.copiesChanged([remote.uri: copy]))
    #expect(try await bench.poster(of: remote).size.width > 0)
    await bench.stop()
  }

  @Test("An item's own poster stands for it, of a film on a server too; another file replaces the picture")
  func ownPoster() async throws {
    let directory = try TemporaryDirectory()
    let white = try await make(
      "white.png", ["-f", "lavfi", "-i", "color=white:s=640x400", "-frames:v", "1"], in: directory)
    var item = film(try await make("film.mp4", ("color=black", 4), in: directory, seconds: 8))
    item.poster = white
    var remote = MediaItem(uri: "http://127.0.0.1:9/film.mp4", kind: .progressive)
    remote.poster = white
    let bench = try PosterBench(folder: directory.path("posters"))
    await bench.follow([item, remote])
    for item in [item, remote] {
      let poster = try await bench.poster(of: item)
      #expect(poster.brightness() > 250 && poster.size == PixelSize(width: 346, height: 216))
    }
    #expect(await bench.facts(of: item).length == .seconds(12), "the film is opened as well")
    await bench.stop()
    let grey = ["-y", "-f", "lavfi", "-i", "color=gray:s=640x400", "-frames:v", "1"]
    _ = try await make("white.png", grey, in: directory)
    let next = try PosterBench(folder: directory.path("posters"))
    await next.follow([item])
    #expect(try await (110...140).contains(next.poster(of: item).brightness()))
    await next.stop()
  }

  @Test("A poster that can't be read is told once, and a frame of the film stands for it", arguments: [true, false])
  func unreadablePoster(isThere: Bool) async throws {
    let directory = try TemporaryDirectory()
    if isThere { _ = try directory.write("no picture", as: "poster.png") }
    var item = film(try await Media.path("h264-640x360-30-2s.mp4"))
    item.poster = directory.path("poster.png")
    let bench = try PosterBench(folder: directory.path("posters"))
    await bench.follow([item])
    #expect(try await bench.poster(of: item).size == PixelSize(width: 384, height: 216))
    #expect(bench.told.filter { $0.contains("7681") && $0.contains("poster.png") }.count == 1, "\(bench.told)")
    await bench.stop()
    let next = try PosterBench(folder: directory.path("posters"))
    await next.follow([item])
    _ = try await next.poster(of: item)
    #expect(!next.told.contains { $0.contains("7681") }, "kept, and not tried again")
    await next.stop()
  }

  @Test("The process runs only when nothing else does, and ends once nothing is left to make")
  func idle() async throws {
    let prober = MediaProber(program: Player.path, isIdle: true)
    let item = film(try await Media.path("h264-640x360-30-2s.mp4"))
    let made = try prober.film(item, in: PosterPolicy.box, limit: .seconds(60))
    #expect(made.image?.size == PixelSize(width: 384, height: 216))
    func children() throws -> [String] {
      let tasks = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
      let children = tasks.flatMap { task in
        ((try? String(contentsOfFile: "/proc/self/task/\(task)/children", encoding: .utf8)) ?? "").split(separator: " ")
      }
      return children.map(String.init).filter { child in
        let words = (try? String(contentsOfFile: "/proc/\(child)/cmdline", encoding: .utf8)) ?? ""
        return words.contains("probe-part") && words.contains("--idle")
      }
    }
    let child = try #require(try children().first)
    for thread in try FileManager.default.contentsOfDirectory(atPath: "/proc/\(child)/task") {
      let stat = try String(contentsOfFile: "/proc/\(child)/task/\(thread)/stat", encoding: .utf8)
      // The name may have blanks; the policy is field 41, and 5 is SCHED_IDLE.
      let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
      #expect(fields.count > 38 && fields[38] == "5", "\(stat)")
    }
    prober.rest()
    #expect(try children().isEmpty)
  }

  /// A program that answers each request with this line.
  private func liar(_ answer: ProbeAnswer, in directory: TemporaryDirectory) throws -> MediaProber {
    let line = String(decoding: try JSONEncoder().encode(answer), as: UTF8.self)
    _ = try directory.write(line + "\n", as: "answer")
    let path = try directory.write(
      "#!/bin/bash\nwhile read -r line; do cat '\(directory.path("answer"))'; done\n", as: "program")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return MediaProber(program: path)
  }

  @Test("A process that a film has taken over can send a wrong picture, and none of another size")
  func lies() throws {
    func film(_ size: PixelSize, _ count: Int) throws -> PosterImage? {
      let directory = try TemporaryDirectory()
      let picture = ProbeAnswer.Picture(size: size, planes: Data(count: count))
      let prober = try liar(ProbeAnswer(film: .init(facts: FilmFacts(), picture: picture)), in: directory)
      return try prober.film(self.film("/a.mp4"), in: PixelSize(width: 16, height: 8), limit: .seconds(60)).image
    }
    #expect(try film(PixelSize(width: 16, height: 8), 16 * 8 * 3 / 2)?.size == PixelSize(width: 16, height: 8))
    for (size, count) in [
      (PixelSize(width: 16, height: 8), 16 * 8), (PixelSize(width: 18, height: 8), 18 * 8 * 3 / 2),
      (PixelSize(width: 16, height: 10), 240), (PixelSize(width: 0, height: 0), 0),
    ] {
      #expect(throws: VitrineError.self, "\(size)") { try film(size, count) }
    }
  }
}
