import Foundation
import KioskTestSupport
import MainLoop
import PictureFiles
import PlaybackCore
import Testing

@testable import PictureDecoder

/// Pictures are decoded by another process: `vitrine picture-part`, which was built beside this test.
@Suite("Pictures in a process of their own", .serialized)
struct PictureHelpersTests {
  private let anySize = PictureRequest(size: { $0 })

  private func helpers(_ firstFrame: Duration = PictureLimits.time) -> PictureHelpers {
    PictureHelpers(program: Player.path, firstFrame: firstFrame)
  }

  private func problem(
    of bytes: [UInt8], by helpers: PictureHelpers, _ request: PictureRequest? = nil
  ) -> PictureProblem? {
    do throws(PictureProblem) {
      let header = try PictureHeader.read(bytes)
      _ = try helpers.open(bytes, header, background: 0, request ?? anySize).frame(0, after: .zero)
      return nil
    } catch {
      return error
    }
  }

  @Test("Each kind comes out as it does in this process")
  func kinds() async throws {
    let helpers = helpers()
    for name in [
      "baseline.jpg", "progressive.jpg", "turned-5.jpg", "sixteen.png", "alpha.png", "one.png", "odd.png", "bitmap.bmp",
      "lzw.tif", "turned-7.tif", "still.webp", "alpha.webp", "still.gif", "phone.heic", "web.avif", "boxed.jxl",
      "plain.tga",
      "vector.svg", "4k.jpg",
    ] {
      let bytes = try await PictureFormatTests.bytes(name)
      let header = try PictureHeader.read(bytes)
      let half = PictureRequest(size: { PixelSize(width: max(1, $0.width / 2), height: max(1, $0.height / 2)) })
      let request = header.format == .svg ? half : anySize
      let here = try PictureFrames(bytes, header, background: 0x10_2030, request).frame(0)
      let there = try helpers.open(bytes, header, background: 0x10_2030, request).frame(0, after: .zero)
      #expect(there.size == here.size && there.isFourBytes == here.isFourBytes, "\(name)")
      #expect(there.rgba() == here.rgba(), "\(name)")
    }
  }

  @Test("Moving pictures move, and two at a time don't wait for each other", arguments: ["film.gif", "film.png"])
  func moving(name: String) async throws {
    let helpers = helpers()
    let bytes = try await PictureFormatTests.bytes(name)
    let header = try PictureHeader.read(bytes)
    let here = try PictureFrames(bytes, header, background: 0, anySize)
    let one = try helpers.open(bytes, header, background: 0, anySize)
    let two = try helpers.open(bytes, header, background: 0, anySize)
    for index in Array(0..<10) + [0, 1] {
      let expected = try here.frame(index).rgba()
      #expect(try one.frame(index, after: .zero).rgba() == expected, "\(index)")
      if index < 3 { #expect(try two.frame(index, after: .zero).rgba() == expected) }
    }
  }

  @Test("What is refused, damaged or called off is told as in this process; the next picture is shown")
  func problems() async throws {
    let helpers = helpers()
    let good = try await PictureFormatTests.bytes("sixteen.png")
    let jpeg = try await PictureFormatTests.bytes("baseline.jpg")
    #expect(problem(of: good, by: helpers) == nil)
    #expect(
      problem(of: good, by: helpers, PictureRequest(size: { _ in nil }))
        == .tooManyPixels(PixelSize(width: 160, height: 90)))
    var damaged = good
    damaged.replaceSubrange(100..<140, with: repeatElement(0xAA, count: 40))
    guard case .damaged(.png, let detail) = problem(of: damaged, by: helpers) else {
      Issue.record("it was shown")
      return
    }
    #expect(!detail.isEmpty)
    #expect(problem(of: jpeg, by: helpers, PictureRequest(size: { $0 }, isCancelled: { true })) != .notAPicture)
    #expect(problem(of: good, by: helpers) == nil)
  }

  @Test("A picture that only the memory of those before it lacks is decoded by a fresh process")
  func usedUp() async throws {
    let directory = try TemporaryDirectory()
    let good = try await PictureFormatTests.bytes("sixteen.png")
    // The first life shows a pixel, and says of the next picture that it is damaged.
    let pixel = PictureAnswer.pixels(PixelSize(width: 1, height: 1), isFourBytes: true)
    func says(_ answer: PictureAnswer) -> String {
      "printf '" + answer.bytes.map { "\\x" + String($0, radix: 16) }.joined() + "'"
    }
    let file = "head -c \(16 + good.count) > /dev/null"
    let helpers = PictureHelpers(
      program: "/bin/bash",
      arguments: [
        "-c",
        """
        if [ -e '\(directory.path("lived"))' ]; then exec '\(Player.path)' picture-part; fi
        touch '\(directory.path("lived"))'
        \(file); \(says(.opened)); head -c 16 > /dev/null; \(says(pixel)); head -c 17 > /dev/null; \(says(.done))
        head -c 16 > /dev/null; \(file); \(says(.failed(.damaged, count: 0))); sleep 100
        """,
      ])
    #expect(problem(of: good, by: helpers) == nil)
    #expect(problem(of: good, by: helpers) == nil)
  }

  @Test("Where there is no such program it is an error of ours and not of the picture")
  func noProgram() async throws {
    let good = try await PictureFormatTests.bytes("sixteen.png")
    for program in ["/nowhere/vitrine", "/bin/true"] {
      let found = problem(of: good, by: PictureHelpers(program: program))
      #expect(found?.error("a").number == 7518, "\(program): \(String(describing: found))")
    }
  }

  /// Whatever the process says; the last argument is a script that says it.
  private func liar(_ script: String) -> PictureHelpers {
    PictureHelpers(program: "/bin/bash", arguments: ["-c", script], firstFrame: .milliseconds(300))
  }

  @Test("A process that lies, hangs up, dies or goes on for ever is the end of its picture, and of nothing else")
  func lies() async throws {
    let good = try await PictureFormatTests.bytes("sixteen.png")
    func says(_ bytes: [UInt8]) -> String {
      "printf '" + bytes.map { "\\x" + String($0, radix: 16) }.joined() + "'"
    }
    let opened = says(PictureAnswer.opened.bytes)
    let large = PictureAnswer.pixels(PixelSize(width: 30_000, height: 30_000), isFourBytes: true).bytes
    for (script, number) in [
      ("echo I am no decoder, and say more than sixteen bytes", 3105), ("kill -SEGV $$", 3105), ("kill -KILL $$", 3105),
      ("exit 102", 3105), ("exit 1", 7518), ("while :; do :; done", 3104), (opened + "; " + opened, 3105),
      (opened + "; " + says(large), 3105),
      (says(PictureAnswer.failed(.damaged, count: 3).bytes) + "; printf 'x\\e['", 3103),
      ("yes", 3105),
    ] {
      // It takes what it is given first, as much as there is.
      let found = problem(of: good, by: liar("head -c \(16 + good.count) > /dev/null; \(script); sleep 0.1"))
      #expect(found?.error("a").number == number, "\(script): \(String(describing: found))")
      #expect(found?.error("a").detail.contains("\u{1b}") != true)
    }
  }

  @Test("A process that has died while it waited is replaced, and nobody hears of it")
  func replaced() async throws {
    let directory = try TemporaryDirectory()
    let good = try await PictureFormatTests.bytes("sixteen.png")
    // The first life takes one picture; it dies then.
    let helpers = PictureHelpers(
      program: "/bin/bash",
      arguments: [
        "-c",
        """
        if [ -e '\(directory.path("lived"))' ]; then exec '\(Player.path)' picture-part; fi
        touch '\(directory.path("lived"))'; head -c \(16 + good.count) > /dev/null
        printf '\\x08\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0'; head -c 16 > /dev/null; kill -SEGV $$
        """,
      ])
    #expect(problem(of: good, by: helpers) == .damaged(.png, detail: ""))
    #expect(problem(of: good, by: helpers) == nil)
  }

  @Test("A drawing without end is ended, told as 3104, and not tried again by the same bytes; others are")
  func endless() async throws {
    let helpers = helpers(.milliseconds(500))
    let bomb = [UInt8](try Data(contentsOf: URL(filePath: try await HardPictures.path("uses.svg"))))
    let screen = PictureRequest(size: { _ in PixelSize(width: 1920, height: 1080) })
    #expect(problem(of: bomb, by: helpers, screen) == .takesTooLong(.svg))
    // Without a process: the program isn't even looked for.
    var asked = 0
    let counting = PictureRequest(
      size: { _ in
        asked += 1
        return PixelSize(width: 1920, height: 1080)
      })
    #expect(problem(of: bomb, by: helpers, counting) == .takesTooLong(.svg) && asked == 0)
    #expect(problem(of: try await PictureFormatTests.bytes("vector.svg"), by: helpers, screen) == nil)
    #expect(PictureProblem.takesTooLong(.svg).error("a").number == 3104)
  }

  @Test("Nobody waits any more: a decoder that doesn't look is ended all the same")
  func calledOff() async throws {
    let helpers = helpers()
    let bomb = [UInt8](try Data(contentsOf: URL(filePath: try await HardPictures.path("patterns.svg"))))
    var looks = 0
    let request = PictureRequest(
      size: { _ in PixelSize(width: 1920, height: 1080) },
      isCancelled: {
        looks += 1
        return looks > 3
      })
    #expect(problem(of: bomb, by: helpers, request) == .cancelled)
  }

  @Test("Where memory runs out it goes before the player")
  func goesFirst() async throws {
    let process = try SpawnedProcess(Player.path, ["picture-part"])
    let place = "/proc/\(process.pid)/oom_score_adj"
    try await eventually("it wouldn't be ended first", within: 30) {
      try String(contentsOfFile: place, encoding: .utf8) == "1000\n"
    }
  }

  @Test("A moving picture may have four times as long as its frames are shown")
  func slowFrames() {
    let time = PictureLimits.time
    #expect(PictureLimits.time(of: .gif, shown: .zero, processors: 4) == time)
    #expect(PictureLimits.time(of: .gif, shown: .seconds(10), processors: 4) == time + .seconds(40))
    #expect(PictureLimits.time(of: .avif, shown: .zero, processors: 4) == time * 4)
    #expect(PictureLimits.time(of: .avif, shown: .zero, processors: 0) == time)
    #expect(PictureLimits.time(of: .png, shown: .seconds(Int64.max), processors: 1) < .seconds(1_000_000))
  }

  /// As a screen would have it; drawings and photographs are made no larger.
  private func onScreen(_ header: PictureHeader) -> PictureRequest {
    let screen = PixelSize(width: 1920, height: 1080)
    return PictureRequest(size: { stored in
      var header = header
      header.size = stored
      if header.format == .svg { return screen }
      guard let held = PictureScale.heldSize(of: header, wanted: screen), PictureLimits.allow(held) else { return nil }
      return PictureScale.decodedSize(of: header, wanted: screen)
    })
  }

  @Test(
    "Forty pictures that take for ever: each is shown or left out within its time, and a good one after it is shown")
  func hard() async throws {
    let helpers = helpers(.milliseconds(500))
    let good = try await PictureFormatTests.bytes("baseline.jpg")
    let names = try await HardPictures.names()
    #expect(names.count == 40)
    var ends: [String: String] = [:]
    for name in names {
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: try await HardPictures.path(name))))
      do throws(PictureProblem) {
        let header = try PictureHeader.read(bytes)
        let source = try helpers.open(bytes, header, background: 0, onScreen(header))
        // Of one that moves, what comes within its time.
        for index in 0..<min(10, header.animation?.delays.count ?? 1) { _ = try source.frame(index, after: .zero) }
        ends[name] = "shown"
      } catch {
        ends[name] = "\(error.error(name).number)"
        #expect([3101, 3103, 3104, 3105].contains(error.error(name).number), "\(name): \(error)")
      }
      #expect(problem(of: good, by: helpers) == nil, "after \(name)")
    }
    // Most of them do take for ever.
    #expect(ends.values.count { $0 == "3104" } >= 20, "\(ends)")
  }
}
