import Foundation
import Testing

@testable import PlaybackCore

/// Pictures made by formulas, as films have them.
enum MadePoster {
  static let size = PixelSize(width: 192, height: 108)

  /// A picture by the brightness of its pixels, in grey.
  static func image(_ luma: (_ x: Int, _ y: Int) -> Int) -> PosterImage? {
    var planes = [UInt8](repeating: 128, count: PosterImage.byteCount(of: size))
    for y in 0..<size.height {
      for x in 0..<size.width { planes[y * size.width + x] = UInt8(max(16, min(235, luma(x, y)))) }
    }
    return PosterImage(size: size, planes: planes)
  }

  /// Soft light on some things with edges, and a little grain.
  static func scene(_ x: Int, _ y: Int) -> Int {
    var value = 70 + 50 * x / size.width + 30 * y / size.height
    if (x - 60) * (x - 60) + (y - 50) * (y - 50) < 900 { value += 100 - y / 2 }
    if (110..<170).contains(x), (30..<100).contains(y) { value -= 70 - x / 8 }
    if (40..<60).contains(x % 64), y > 80 { value += 60 }
    return value + (x * 7919 + y * 104729) % 7 - 3
  }

  /// The mean of the pixels around each one, twice: out of focus.
  static func blurred(_ luma: (Int, Int) -> Int, radius: Int) -> (Int, Int) -> Int {
    func mean(_ at: (Int, Int) -> Int) -> [Int] {
      var means: [Int] = []
      for y in 0..<size.height {
        for x in 0..<size.width {
          var (sum, count) = (0, 0)
          for j in max(0, y - radius)...min(size.height - 1, y + radius) {
            for i in max(0, x - radius)...min(size.width - 1, x + radius) {
              sum += at(i, j)
              count += 1
            }
          }
          means.append(sum / count)
        }
      }
      return means
    }
    let once = mean(luma)
    let twice = mean { once[$1 * size.width + $0] }
    return { twice[$1 * size.width + $0] }
  }

  static func faded(_ luma: @escaping (Int, Int) -> Int, to part: Double) -> (Int, Int) -> Int {
    { 16 + Int(Double(luma($0, $1) - 16) * part) }
  }
}

@Suite("Posters: which frame stands for a film")
struct PosterScoreTests {
  private func score(_ luma: (Int, Int) -> Int) throws -> PosterScore {
    let image = MadePoster.image(luma)
    return PosterScore(of: try #require(image))
  }

  @Test("A frame with things on it is good; nearly half of a fade to black, still")
  func good() throws {
    let scene = try score(MadePoster.scene)
    #expect(scene.isGood, "\(scene)")
    let fading = try score(MadePoster.faded(MadePoster.scene, to: 0.6))
    #expect(fading.isGood && fading.rank <= scene.rank, "\(fading)")
  }

  @Test("Black, white, grey, the end of a fade, and a title on black aren't")
  func empty() throws {
    let plain = [try score { _, _ in 16 }, try score { _, _ in 235 }, try score { x, y in 128 + (x + y) % 3 }]
    for score in plain { #expect(!score.isGood, "\(score)") }
    let faded = try score(MadePoster.faded(MadePoster.scene, to: 0.15))
    #expect(!faded.isGood && faded.contrast < 20, "\(faded)")
    // White letters, sharp and rich in contrast.
    let title = try score { x, y in (50..<58).contains(y) && (40..<150).contains(x) && x % 4 < 2 ? 235 : 16 }
    #expect(!title.isGood && title.contrast > 20 && title.sharpness > 40, "\(title)")
  }

  @Test("A blurred frame isn't, by its sharpness alone")
  func blurred() throws {
    let blurred = try score(MadePoster.blurred(MadePoster.scene, radius: 3))
    #expect(!blurred.isGood && blurred.contrast > 20 && blurred.emptiness < 0.85, "\(blurred)")
    let scene = try score(MadePoster.scene)
    #expect(scene.sharpness > 2 * blurred.sharpness, "\(scene)")
  }

  @Test("The first good frame ends the search; without one the best frame is taken")
  func choice() throws {
    let images = [
      MadePoster.image { _, _ in 16 }, MadePoster.image(MadePoster.faded(MadePoster.scene, to: 0.15)),
      MadePoster.image(MadePoster.scene), MadePoster.image { MadePoster.scene($0 + 9, $1) },
    ].compactMap(\.self)
    try #require(images.count == 4)
    let (black, faded, scene, other) = (images[0], images[1], images[2], images[3])
    var choice = PosterChoice()
    #expect(choice.best == nil)
    for image in [black, faded, black] { choice.offer(image) }
    #expect(choice.best == faded && !choice.isGood)
    choice.offer(scene)
    #expect(choice.best == scene && choice.isGood)
    choice.offer(other)
    #expect(choice.best == scene)
  }

  @Test("A picture of one pixel has a score")
  func tiny() throws {
    let image = try #require(PosterImage(size: PixelSize(width: 1, height: 1), planes: [200, 128, 128]))
    #expect(!PosterScore(of: image).isGood)
  }
}

@Suite("Posters: the picture")
struct PosterImageTests {
  @Test("Only as many bytes as the size has are taken, and no size beyond all boxes")
  func sizes() {
    #expect(PosterImage.byteCount(of: PixelSize(width: 384, height: 216)) == 124_416)
    #expect(PosterImage.byteCount(of: PixelSize(width: 3, height: 3)) == 9 + 2 * 4)
    #expect(PosterImage(size: PixelSize(width: 4, height: 2), planes: [UInt8](repeating: 0, count: 12)) != nil)
    #expect(PosterImage(size: PixelSize(width: 4, height: 2), planes: [UInt8](repeating: 0, count: 11)) == nil)
    #expect(PosterImage(size: PixelSize(width: 0, height: 0), planes: []) == nil)
    let huge = PixelSize(width: Int(Int32.max), height: Int(Int32.max))
    #expect(PosterImage(size: huge, planes: []) == nil && PosterImage(rgba: [], size: huge) == nil)
  }

  @Test("Colours come back as they were, to a few steps; odd sizes too")
  func colours() throws {
    let colours: [UInt32] = [0x000000, 0xFFFFFF, 0x808080, 0xC02020, 0x20C020, 0x2020C0, 0xE0E000, 0x00A0A0]
    for colour in colours {
      let parts = [16, 8, 0].map { UInt8(truncatingIfNeeded: colour >> UInt32($0)) }
      let size = PixelSize(width: 5, height: 3)
      let image = try #require(PosterImage(rgba: Array((0..<15).map { _ in parts + [255] }.joined()), size: size))
      for pixel in image.xrgb() {
        #expect(pixel >> 24 == 255)
        for shift in [16, 8, 0] {
          let difference = Int(pixel >> UInt32(shift) & 255) - Int(colour >> UInt32(shift) & 255)
          #expect(abs(difference) <= 4, "\(String(pixel, radix: 16)) for \(String(colour, radix: 16))")
        }
      }
    }
  }

  @Test("A picture fits in its box with its shape, and isn't enlarged")
  func fitting() {
    let box = PixelSize(width: 384, height: 216)
    func fitted(_ width: Int, _ height: Int) -> [Int] {
      let size = PosterImage.size(of: PixelSize(width: width, height: height), in: box)
      return [size.width, size.height]
    }
    #expect(fitted(1920, 1080) == [384, 216] && fitted(1080, 1920) == [122, 216])
    #expect(fitted(100, 60) == [100, 60] && fitted(30_000, 10) == [384, 1] && fitted(0, 0) == [1, 1])
  }
}

@Suite("Posters: what is told of a film")
struct FilmFactsTests {
  private let item = MediaItem(uri: "/a.mp4", kind: .file, start: .seconds(10), end: .seconds(40))

  private func sound(_ language: String?) -> StreamFacts {
    var stream = StreamFacts(kind: .audio, codec: "AAC")
    stream.language = language
    return stream
  }

  @Test("The length is that of what is played; none of live streams and pictures")
  func length() {
    func length(_ item: MediaItem, _ duration: Duration?, isLive: Bool = false) -> Duration? {
      FilmFacts(MediaFacts(isLive: isLive), of: item, duration: duration, descriptions: []).length
    }
    #expect(length(item, .seconds(60)) == .seconds(30) && length(item, .seconds(25)) == .seconds(15))
    #expect(length(MediaItem(uri: "/a.mp4", kind: .file), nil) == nil)
    #expect(length(item, .seconds(60), isLive: true) == nil)
    #expect(length(MediaItem(uri: "/a.png", kind: .picture), .seconds(5)) == nil)
  }

  @Test("Two languages are several, two spellings of one language aren't, and an unknown language doesn't count")
  func languages() {
    func has(_ languages: [String?]) -> Bool {
      FilmFacts(MediaFacts(streams: languages.map(sound)), of: item, duration: nil, descriptions: []).hasLanguages
    }
    #expect(has(["eng", "deu"]) && has(["de", "en", nil]))
    #expect(!has(["ger", "de"]) && !has(["eng", nil]) && !has(["und", "eng"]) && !has([]))
  }

  @Test("A description is one beside usual sound, by the file or by a title")
  func descriptions() {
    func has(_ descriptions: [Bool], titles: [String] = []) -> Bool {
      var facts = MediaFacts(streams: [StreamFacts(kind: .video, codec: ""), sound("eng"), sound("eng")])
      facts.soundTitles = titles
      return FilmFacts(facts, of: item, duration: nil, descriptions: descriptions).hasDescription
    }
    #expect(has([false, true]) && has([], titles: ["", "Audio description"]))
    #expect(!has([]) && !has([], titles: ["Stereo", "Surround"]))
    // All of it describes; and a file with three tracks of which two are known.
    #expect(!has([true, true]) && !has([false, false, true]))
  }

  @Test("Subtitles in the file are captions")
  func captions() {
    let streams = [StreamFacts(kind: .video, codec: ""), StreamFacts(kind: .subtitle, codec: "")]
    #expect(FilmFacts(MediaFacts(streams: streams), of: item, duration: nil, descriptions: []).hasCaptions)
    #expect(!FilmFacts(MediaFacts(streams: [streams[0]]), of: item, duration: nil, descriptions: []).hasCaptions)
  }
}
