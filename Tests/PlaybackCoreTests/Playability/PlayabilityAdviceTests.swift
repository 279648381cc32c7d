import PlaybackCore
import Testing

@Suite("Whether a board plays a film")
struct PlayabilityAdviceTests {
  private static func limit(_ text: String) -> BoardDecoding.Limit? { BoardDecoding.Limit(parsing: text) }

  /// H.264 up to 1080p30 in hardware, half of that in software; H.265 up to 4K in hardware on a new system.
  private static let decoding: BoardDecoding = {
    var decoding = BoardDecoding()
    decoding.h264.hardware = limit("1920x1080@30")
    decoding.h264.level = 4.1
    decoding.h264.software = limit("1280x720@30")
    decoding.h265.hardware = limit("3840x2160@60")
    decoding.h265.needs = "Linux 99"
    decoding.vp8.software = limit("640x360@30")
    return decoding
  }()
  private static let board = PlayabilityAdvice.Board(name: "shop", decoding: decoding, isHere: false)

  private static func film(
    _ format: VideoCodec, _ width: Int, _ height: Int, _ rate: Int = 25,
    _ change: (inout StreamFacts) -> Void = { _ in }
  ) -> StreamFacts {
    var film = StreamFacts(kind: .video, codec: format.name)
    film.format = format
    film.size = PixelSize(width: width, height: height)
    film.rate = Ratio(numerator: rate, denominator: 1)
    change(&film)
    return film
  }

  struct Row: CustomTestStringConvertible, Sendable {
    var film: StreamFacts
    var verdict: PlayabilityAdvice.Verdict
    var words: String
    var testDescription: String { "\(film.codec) \(film.size?.width ?? 0)x\(film.size?.height ?? 0): \(words)" }
    init(_ film: StreamFacts, _ verdict: PlayabilityAdvice.Verdict, _ words: String) {
      (self.film, self.verdict, self.words) = (film, verdict, words)
    }
  }

  static let rows = [
    Row(film(.h264, 1920, 1080), .plays, "decoded by hardware, up to 1920x1080 at 30"),
    Row(film(.h264, 1920, 1088, 30), .plays, "hardware"), Row(film(.h264, 1080, 1920, 30), .plays, "hardware"),
    Row(film(.h264, 1920, 1080) { $0.rate = Ratio(numerator: 30_000, denominator: 1001) }, .plays, "hardware"),
    Row(film(.h264, 1280, 720, 60), .plays, "hardware"),
    Row(film(.h264, 1920, 1080) { $0.rate = nil }, .plays, "hardware"),
    Row(
      film(.h264, 1920, 1080, 60), .tooMuch, "1920x1080 at 60 frames in a second is more than the decoder takes"),
    Row(film(.h264, 3840, 2160), .tooMuch, "3840x2160 is more than the decoder takes (1920x1080 at 30)"),
    Row(film(.h264, 2560, 720), .tooMuch, "2560x720 is more than the decoder takes"),
    // The processor decodes what hardware can't, if it is fast enough.
    Row(
      film(.h264, 1280, 720) { $0.bits = 10 }, .plays, "the decoder takes 8 bits and not 10; decoded by the processor"),
    Row(film(.h264, 1920, 1080) { $0.bits = 10 }, .tooMuch, "1920x1080 is more than the processor decodes in time"),
    Row(film(.h264, 1280, 720) { $0.chroma = "4:2:2" }, .plays, "takes 4:2:0 and not 4:2:2; decoded by the processor"),
    Row(film(.h264, 1920, 1080) { $0.level = "5.1" }, .tooMuch, "level 5.1 is above 4.1"),
    Row(film(.h264, 1920, 1080) { $0.level = "4" }, .plays, "hardware"),
    Row(film(.h265, 3840, 2160, 60), .plays, "needs Linux 99"),
    Row(film(.h265, 3840, 2160) { $0.bits = 10 }, .tooMuch, "takes 8 bits and not 10"),
    Row(film(.vp8, 640, 360, 30), .plays, "decoded by the processor, up to 640x360 at 30"),
    Row(film(.vp8, 1280, 720), .tooMuch, "1280x720 is more than the processor decodes in time (640x360 at 30)"),
    Row(film(.vp9, 640, 360), .unknown, "the profile of shop says nothing of VP9"),
    Row(StreamFacts(kind: .video, codec: "Sorenson"), .unknown, "says nothing of Sorenson"),
    Row(film(.h264, 1920, 1080) { $0.isInterlaced = true }, .plays, "interlaced: the processor"),
  ]

  @Test("The profile's limits decide which films a board plays", arguments: rows)
  func table(row: Row) {
    let advice = PlayabilityAdvice(for: MediaFacts(streams: [row.film]), on: Self.board)
    #expect(advice.verdict == row.verdict, "\(advice.reasons)")
    #expect(advice.reasons.joined(separator: "; ").contains(row.words), "\(advice.reasons)")
    #expect((advice.conversion != nil) == (row.verdict == .tooMuch))
  }

  @Test("On the board itself a hardware decoder must be present")
  func here() {
    var board = Self.board
    board.isHere = true
    func advice(_ film: StreamFacts) -> PlayabilityAdvice {
      PlayabilityAdvice(for: MediaFacts(streams: [film]), on: board)
    }
    let hard = advice(Self.film(.h265, 3840, 2160) { $0.isHardware = true })
    #expect(hard.verdict == .plays && !hard.reasons.joined().contains("needs"))
    let soft = advice(Self.film(.h265, 3840, 2160))
    #expect(soft.verdict == .tooMuch && soft.reasons == ["the decoder in hardware isn't there, it needs Linux 99"])
    #expect(advice(Self.film(.h264, 1280, 720)).verdict == .plays)
    #expect(advice(Self.film(.h264, 1920, 1080)).verdict == .tooMuch)
  }

  @Test("Pictures and sound play, and without a profile nothing is known")
  func others() {
    let picture = MediaFacts(streams: [StreamFacts(kind: .picture, codec: "PNG")])
    #expect(PlayabilityAdvice(for: picture, on: Self.board).verdict == .plays)
    #expect(PlayabilityAdvice(for: picture, on: .unknown).verdict == .plays)
    let sound = MediaFacts(streams: [StreamFacts(kind: .audio, codec: "MP3")])
    #expect(PlayabilityAdvice(for: sound, on: Self.board).verdict == .plays)
    let film = PlayabilityAdvice(for: MediaFacts(streams: [Self.film(.h264, 64, 64)]), on: .unknown)
    #expect(film.verdict == .unknown && film.conversion == nil)
  }

  @Test("Impossible numbers of a film cause no trap")
  func nonsense() {
    let most = Int(Int32.max)
    let film = Self.film(.h264, most, most, most) {
      $0.pixelAspect = Ratio(numerator: most, denominator: 1)
      $0.level = "nan"
      $0.isInterlaced = true
    }
    let advice = PlayabilityAdvice(for: MediaFacts(streams: [film]), on: Self.board)
    #expect(advice.verdict == .tooMuch && advice.conversion != nil)
    let shapeless = Self.film(.h264, most, most, most) { $0.pixelAspect = Ratio(numerator: 1, denominator: 0) }
    #expect(PlayabilityAdvice(for: MediaFacts(streams: [shapeless]), on: Self.board).conversion != nil)
  }

  // MARK: What to convert to

  private func command(_ film: StreamFacts, _ board: PlayabilityAdvice.Board = board) -> String? {
    PlayabilityAdvice(for: MediaFacts(streams: [film]), on: board).conversion?.command(from: "a.mov", to: "b.mp4")
  }

  @Test("The advice gives a complete command")
  func whole() {
    #expect(
      command(Self.film(.h264, 1920, 1080, 60))
        == "ffmpeg -i a.mov -map 0:v:0 -map '0:a?' -vf fps=60/2 -c:v libx264 -profile:v high -level 4.1 -preset slow "
        + "-crf 19 -pix_fmt yuv420p -c:a aac -b:a 192k -movflags +faststart b.mp4")
  }

  @Test(
    "The advised command lowers only the values that are too high",
    arguments: [
      // The stronger codec keeps a 4K film at its size.
      (film(.h264, 3840, 2160, 25), ["libx265", "hvc1"], ["scale", "fps="]),
      (film(.h264, 3840, 2160, 120), ["libx265", "fps=120/2"], ["scale"]),
      (film(.h264, 7680, 4320, 25), ["libx265", "-vf scale=w=3840:h=2160:force_original_aspect_ratio"], ["fps="]),
      (film(.vp8, 1280, 720, 50), ["libx264"], ["scale", "fps="]),
      (film(.vp8, 1080, 1920, 50), ["libx264", "fps=50/2"], ["scale"]),
      (film(.h264, 1920, 1080) { $0.level = "5.1" }, ["-level 4.1"], ["-vf"]),
      (film(.h265, 3840, 2160) { ($0.bits, $0.transfer) = (10, .pq) }, ["tonemap=hable", "libx265"], ["scale=w"]),
      (film(.vp8, 1280, 720) { $0.isInterlaced = true }, ["bwdif"], ["scale"]),
      (film(.vp8, 961, 541), ["crop=trunc(iw/2)*2:trunc(ih/2)*2"], ["scale"]),
      (
        film(.vp8, 720, 576) { $0.pixelAspect = Ratio(numerator: 16, denominator: 11) },
        ["scale=w=iw*sar:h=ih,setsar=1"], []
      ),
    ] as [(StreamFacts, [String], [String])])
  func filters(film: StreamFacts, has: [String], hasNot: [String]) throws {
    let text = try #require(command(film))
    for word in has { #expect(text.contains(word), "\(text)") }
    for word in hasNot { #expect(!text.contains(word), "\(text)") }
  }

  @Test("Without a usable codec no command is advised; names of files are quoted for a shell")
  func names() throws {
    var decoding = BoardDecoding()
    decoding.vp8.software = Self.limit("64x64@1")
    let board = PlayabilityAdvice.Board(name: "toy", decoding: decoding, isHere: false)
    #expect(command(Self.film(.vp8, 640, 360), board) == nil)
    let conversion = try #require(
      PlayabilityAdvice(for: MediaFacts(streams: [Self.film(.vp8, 1280, 720)]), on: Self.board).conversion)
    let input = "/srv/Anna's films/The hall.mov"
    #expect(conversion.output(for: input) == "/srv/Anna's films/The hall-h264.mp4")
    #expect(
      conversion.output(for: "hall") == "hall-h264.mp4" && conversion.output(for: "/a.b/.x") == "/a.b/.x-h264.mp4")
    #expect(
      conversion.command(from: input, to: "b.mp4").hasPrefix("ffmpeg -i '/srv/Anna'\\''s films/The hall.mov' -map"))
  }
}
