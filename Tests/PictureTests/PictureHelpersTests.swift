import CPictures
import Foundation
import KioskTestSupport
import MainLoop
import PictureFiles
import PlaybackCore
import Testing

@testable import PictureDecoder

/// Another process decodes the pictures: `vitrine-pictures`, which was built beside this test.
@Suite("Pictures in a process of their own", .serialized)
struct PictureHelpersTests {
  private let anySize = PictureRequest(size: { $0 })
  /// The number of bytes that open a picture: the question, and the byte that carries the file's descriptor.
  private static let openLength = PictureQuestion.length + 1
  /// The small program built beside the player.
  private static let small = PictureHelpers.small(beside: Player.path).first ?? "/nowhere"
  private static let decoder = ([small] + PictureChild.arguments).joined(separator: " ")

  private func helpers(_ firstFrame: Duration = PictureLimits.time) -> PictureHelpers {
    PictureHelpers(beside: Player.path, firstFrame: firstFrame)
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

  @Test(
    "Each format decodes as in this process, by the small program and by the player's own",
    arguments: [small, Player.path])
  func kinds(program: String) async throws {
    let helpers = PictureHelpers(programs: [program])
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

  @Test("Animations play, and two at a time don't wait for each other", arguments: ["film.gif", "film.png"])
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

  @Test("A refused, damaged or cancelled picture gives the same error as in this process, and the next one decodes")
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

  @Test("A picture that fails for the memory of those before it is decoded by a fresh process")
  func usedUp() async throws {
    let directory = try TemporaryDirectory()
    let good = try await PictureFormatTests.bytes("sixteen.png")
    // The first process sends a pixel, and calls the next picture damaged.
    let pixel = PictureAnswer.pixels(PixelSize(width: 1, height: 1), isFourBytes: true)
    func says(_ answer: PictureAnswer) -> String {
      "printf '" + answer.bytes.map { "\\x" + String($0, radix: 16) }.joined() + "'"
    }
    let file = "head -c \(Self.openLength) > /dev/null"
    let helpers = PictureHelpers(
      programs: ["/bin/bash"],
      arguments: [
        "-c",
        """
        if [ -e '\(directory.path("lived"))' ]; then exec \(Self.decoder); fi
        touch '\(directory.path("lived"))'
        \(file); \(says(.opened)); head -c 16 > /dev/null; \(says(pixel)); head -c 17 > /dev/null; \(says(.done))
        head -c 16 > /dev/null; \(file); \(says(.failed(.damaged, count: 0))); sleep 100
        """,
      ])
    #expect(problem(of: good, by: helpers) == nil)
    #expect(problem(of: good, by: helpers) == nil)
  }

  @Test("A missing decoder program is reported as the player's error, not the picture's")
  func noProgram() async throws {
    let good = try await PictureFormatTests.bytes("sixteen.png")
    for program in ["/nowhere/vitrine", "/bin/true"] {
      let found = problem(of: good, by: PictureHelpers(programs: [program]))
      #expect(found?.error("a").number == 7518, "\(program): \(String(describing: found))")
    }
  }

  @Test(
    "The next program decodes where the first is missing, speaks another protocol or lacks a library"
  )
  func otherProgram() async throws {
    let directory = try TemporaryDirectory()
    let good = try await PictureFormatTests.bytes("sixteen.png")
    let starts = directory.path("starts")
    for code in [PictureChild.misunderstood, 127] {
      let other = try directory.write("#!/bin/bash\necho >> '\(starts)'; exit \(code)\n", as: "other-\(code)")
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: other)
      let helpers = PictureHelpers(programs: ["/nowhere", other, Self.small])
      for _ in 0..<3 { #expect(problem(of: good, by: helpers) == nil) }
      // The error of the list's last program is the one reported.
      #expect(problem(of: good, by: PictureHelpers(programs: [other]))?.error("a").number == 7518)
    }
    #expect(try String(contentsOfFile: starts, encoding: .utf8).count == 4)
  }

  @Test(
    "A decoder started without its protocol names its program", arguments: [[], ["1"], ["picture-part", "1"]])
  func byHand(arguments: [String]) async throws {
    let outcome = try await Tool.run(Self.small, arguments)
    #expect(outcome.status == PictureChild.misunderstood && outcome.errors.contains("part of vitrine"), "\(outcome)")
  }

  @Test(
    "The small program is found beside the player's, or in lib/vitrine beside its folder, or by a link")
  func places() throws {
    let directory = try TemporaryDirectory()
    for folder in ["bin", "lib/vitrine"] {
      try FileManager.default.createDirectory(atPath: directory.path(folder), withIntermediateDirectories: true)
    }
    let player = try directory.write("", as: "bin/vitrine")
    try FileManager.default.createSymbolicLink(atPath: directory.path("link"), withDestinationPath: player)
    #expect(PictureHelpers.small(beside: player) == [] && PictureHelpers.small(beside: "/nowhere/vitrine") == [])
    let folder = URL(filePath: player).resolvingSymlinksInPath().deletingLastPathComponent()
    let places = [
      folder.appending(path: "vitrine-pictures"),
      folder.deletingLastPathComponent().appending(path: "lib/vitrine/vitrine-pictures"),
    ].map(\.path)
    for place in places.reversed() {
      try Data().write(to: URL(filePath: place))
      #expect(!PictureHelpers.small(beside: player).contains(place), "it can't be started")
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: place)
    }
    #expect(PictureHelpers.small(beside: player) == places)
    #expect(PictureHelpers.small(beside: directory.path("link")) == places)
  }

  /// Makes a decoder of a bash script that sends wrong answers.
  private func liar(_ script: String) -> PictureHelpers {
    PictureHelpers(programs: ["/bin/bash"], arguments: ["-c", script], firstFrame: .milliseconds(300))
  }

  @Test("A decoder that lies, hangs up, dies or runs for ever costs only its own picture")
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
      // The script reads its question first.
      let found = problem(of: good, by: liar("head -c \(Self.openLength) > /dev/null; \(script); sleep 0.1"))
      #expect(found?.error("a").number == number, "\(script): \(String(describing: found))")
      #expect(found?.error("a").detail.contains("\u{1b}") != true)
    }
  }

  @Test("A decoder process that died while idle is replaced without an error")
  func replaced() async throws {
    let directory = try TemporaryDirectory()
    let good = try await PictureFormatTests.bytes("sixteen.png")
    // The first process takes one picture and then dies.
    let helpers = PictureHelpers(
      programs: ["/bin/bash"],
      arguments: [
        "-c",
        """
        if [ -e '\(directory.path("lived"))' ]; then exec \(Self.decoder); fi
        touch '\(directory.path("lived"))'; head -c \(Self.openLength) > /dev/null
        printf '\\x08\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0'; head -c 16 > /dev/null; kill -SEGV $$
        """,
      ])
    #expect(problem(of: good, by: helpers) == .damaged(.png, detail: ""))
    #expect(problem(of: good, by: helpers) == nil)
  }

  @Test("An endless drawing is ended with error 3104, and the same bytes aren't tried again")
  func endless() async throws {
    let helpers = helpers(.milliseconds(500))
    let bomb = [UInt8](try Data(contentsOf: URL(filePath: try await HardPictures.path("uses.svg"))))
    let screen = PictureRequest(size: { _ in PixelSize(width: 1920, height: 1080) })
    #expect(problem(of: bomb, by: helpers, screen) == .takesTooLong(.svg))
    // The picture is refused without a process.
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

  @Test("A cancelled picture ends a decoder process that is busy with it")
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

  @Test("Neither the decoder nor the player can change the picture's file")
  func sealed() throws {
    let bytes = Array("a picture".utf8)
    let file = vit_pixels_make_file(bytes, bytes.count)
    try #require(file >= 0)
    defer { close(file) }
    var found = [UInt8](repeating: 0, count: bytes.count + 1)
    #expect(read(file, &found, found.count) == bytes.count && found.dropLast() == bytes[...])
    #expect(pwrite(file, bytes, 1, 0) == -1 && errno == EPERM)
    #expect(ftruncate(file, 0) == -1 && errno == EPERM)
    #expect(mmap(nil, bytes.count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) == MAP_FAILED)
    // The decoder can't remove the file's seals either: a second open gives the same file.
    let again = open("/proc/self/fd/\(file)", O_RDWR)
    defer { close(again) }
    #expect(again < 0 || write(again, bytes, 1) == -1)
  }

  @Test("Memory for pixels is reserved before they come, and no more than was asked for")
  func populated() throws {
    let page = sysconf(Int32(_SC_PAGESIZE))
    let pixels = try #require(SharedPixels(count: 4 * page))
    var there = [UInt8](repeating: 0, count: 4)
    #expect(mincore(pixels.bytes.baseAddress, 4 * page, &there) == 0 && there.allSatisfy { $0 & 1 == 0 })
    pixels.populate(2 * page)
    #expect(mincore(pixels.bytes.baseAddress, 4 * page, &there) == 0)
    #expect(there.map { $0 & 1 } == [1, 1, 0, 0])
    #expect(pixels.bytes.allSatisfy { $0 == 0 })
  }

  @Test(
    "The first picture's decoder is loaded ahead of its file, and other formats still decode"
  )
  func expected() async throws {
    let process = try SpawnedProcess(Self.small, PictureChild.arguments + ["svg"])
    try await eventually("its decoder isn't loaded") {
      // Foundation cuts the text of such files after 4 kB.
      let maps = try FileHandle(forReadingFrom: URL(filePath: "/proc/\(process.pid)/maps")).readToEnd() ?? Data()
      return String(decoding: maps, as: UTF8.self).contains("librsvg")
    }
    for format in [PictureFormat.svg, .png, .jxl] {
      let helpers = helpers()
      helpers.warmUp(format)
      for name in ["vector.svg", "sixteen.png", "boxed.jxl"] {
        #expect(problem(of: try await PictureFormatTests.bytes(name), by: helpers) == nil, "\(name) after \(format)")
      }
    }
  }

  @Test("The kernel ends a decoder process before the player when memory runs out")
  func goesFirst() async throws {
    let process = try SpawnedProcess(Self.small, PictureChild.arguments)
    let place = "/proc/\(process.pid)/oom_score_adj"
    try await eventually("it wouldn't be ended first") {
      try String(contentsOfFile: place, encoding: .utf8) == "1000\n"
    }
  }

  @Test("An animation may take four times as long as its frames are shown")
  func slowFrames() {
    let time = PictureLimits.time
    #expect(PictureLimits.time(of: .gif, shown: .zero, processors: 4) == time)
    #expect(PictureLimits.time(of: .gif, shown: .seconds(10), processors: 4) == time + .seconds(40))
    #expect(PictureLimits.time(of: .avif, shown: .zero, processors: 4) == time * 4)
    #expect(PictureLimits.time(of: .avif, shown: .zero, processors: 0) == time)
    #expect(PictureLimits.time(of: .png, shown: .seconds(Int64.max), processors: 1) < .seconds(1_000_000))
  }

  /// Asks for the size that a 1920x1080 screen would; drawings and photographs aren't enlarged.
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
    "Forty endless pictures are each shown or left out in time, and a good one after each is shown")
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
        // The first ten frames of an animation.
        for index in 0..<min(10, header.animation?.delays.count ?? 1) { _ = try source.frame(index, after: .zero) }
        ends[name] = "shown"
      } catch {
        ends[name] = "\(error.error(name).number)"
        #expect([3101, 3103, 3104, 3105].contains(error.error(name).number), "\(name): \(error)")
      }
      #expect(problem(of: good, by: helpers) == nil, "after \(name)")
    }
    // Most of the pictures do take for ever.
    #expect(ends.values.count { $0 == "3104" } >= 20, "\(ends)")
  }
}
