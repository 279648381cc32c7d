import InteractionCore
import KioskTestSupport
import PlaybackCore
import Testing

@testable import OverlayRenderer

private let screens = [(640, 480), (1280, 720), (1920, 1080), (3840, 2160), (720, 1280)]
  .map { PixelSize(width: $0.0, height: $0.1) }

@Suite("Overlay renderer")
struct OverlayRendererTests {
  let renderer = OverlayRenderer()

  @Test("An empty model and impossible screens give no image")
  func nothing() {
    let screen = PixelSize(width: 1280, height: 720)
    #expect(renderer.render(.nothing, screen: screen) == nil)
    #expect(renderer.render(States.playing, screen: screen) != nil)
    for (width, height) in [(0, 720), (1280, 0), (-1, 720), (40_000, 720)] {
      #expect(renderer.render(States.playing, screen: PixelSize(width: width, height: height)) == nil)
    }
  }

  @Test("Every state lies inside the screen and is premultiplied", arguments: screens)
  func inside(screen: PixelSize) throws {
    for model in [
      States.playing, States.live, States.buffering, States.message, States.longError, States.arabic,
      States.subtitlesAndBar,
    ] {
      let image = try #require(renderer.render(model, screen: screen))
      #expect(image.frame.x >= 0 && image.frame.y >= 0)
      #expect(image.frame.x + image.frame.width <= screen.width)
      #expect(image.frame.y + image.frame.height <= screen.height)
      #expect(image.pixels.count == image.frame.width * image.frame.height)
      #expect(
        // Every 61st pixel, a prime so that the sample drifts over the rows: all of 4K takes seconds in a debug build.
        stride(from: 0, to: image.pixels.count, by: 61).allSatisfy { index in
          let pixel = image.pixels[index]
          let alpha = pixel >> 24
          return pixel >> 16 & 0xFF <= alpha && pixel >> 8 & 0xFF <= alpha && pixel & 0xFF <= alpha
        })
    }
  }

  @Test(
    "At the largest scale and on the smallest glass every state fits, and its heading overlaps nothing"
  )
  func large() throws {
    var look = OverlayLook()
    look.scale = 3
    var models = [States.playing, States.live, States.buffering, States.longError, States.status, States.message]
    models += [States.pausedButtons, States.contrast, States.subtitlesAndBar]
    for (look, density) in [(look, nil), (look, 5.58), (OverlayLook(), 5.58), (OverlayLook(), 12)]
      as [(OverlayLook, Double?)]
    {
      for screen in [(640, 480), (800, 480), (480, 800), (1280, 720), (720, 1280)] {
        let screen = PixelSize(width: screen.0, height: screen.1)
        let renderer = OverlayRenderer(theme: Theme(look))
        for model in models {
          let image = try #require(renderer.render(model, screen: screen, density: density))
          #expect(image.frame.x >= 0 && image.frame.y >= 0)
          #expect(image.frame.x + image.frame.width <= screen.width)
          #expect(image.frame.y + image.frame.height <= screen.height)
        }
        let metrics = OverlayMetrics(screen: screen, scale: look.scale, density: density)
        let text = try #require(TextContext(families: look.fontFamilies))
        for bar in [States.playingBar, States.pausedButtons.bar, States.live.bar].compactMap(\.self) {
          let times = BarTimes(
            bar, size: metrics.pixels(metrics.timeType), metrics: metrics, theme: Theme(look), text: text)
          let room = metrics.width - 2 * metrics.pixels(OverlayMetrics.sideMargin)
          let above = min(times.lineWidth, room - BarHeading.roomForSign(of: bar, metrics))
          for width in [nil, above] {
            let heading = BarHeading(bar, timesWidth: width, metrics: metrics, theme: Theme(look), text: text)
            let spans = heading.spans.sorted { $0.x < $1.x }
            for (left, right) in zip(spans, spans.dropFirst()) { #expect(left.right < right.x) }
            #expect(spans.allSatisfy { $0.x >= 0 && $0.right <= metrics.width })
          }
        }
      }
    }
  }

  @Test("A long message wraps into lines and stays on the screen")
  func longMessages() throws {
    let text = try #require(TextContext(families: ["Inter"]))
    for (width, height, density) in [(800, 480, 5.58), (480, 800, 5.58), (1920, 1080, 2.02), (640, 480, nil)]
      as [(Int, Int, Double?)]
    {
      let metrics = OverlayMetrics(screen: PixelSize(width: width, height: height), density: density)
      let short = MessagePart("Volume 60 %", metrics: metrics, theme: Theme(), text: text)
      let long = MessagePart(
        "The hall opens again at two o'clock; tickets are sold at the desk beside the entrance", metrics: metrics,
        theme: Theme(), text: text)
      // On a narrow screen a short message may have the full width: then the long one has more lines.
      #expect(long.bounds.width > short.bounds.width || long.bounds.height > short.bounds.height)
      for part in [short, long] {
        #expect(part.bounds.x >= 0 && part.bounds.right <= metrics.width && part.bounds.bottom < metrics.height * 0.55)
      }
    }
  }

  @Test("The title starts at its language's side, and the pause sign is at the other end")
  func heading() throws {
    let metrics = OverlayMetrics(screen: PixelSize(width: 1280, height: 720))
    let arabic = Theme(language: LanguageTag("ar"))
    for title in ["Hall", "القاعة الكبرى"] {
      let bar = TransportBar(title: title, position: .seconds(3), duration: .seconds(60), isPlaying: false)
      for (theme, isMirrored) in [(Theme(), false), (arabic, true)] {
        let text = try #require(TextContext(theme))
        let heading = BarHeading(bar, timesWidth: nil, metrics: metrics, theme: theme, text: text)
        let (sign, title) = (heading.spans[0], heading.spans[1])
        let margin = metrics.pixels(OverlayMetrics.sideMargin)
        #expect(abs(isMirrored ? metrics.width - margin - title.right : title.x - margin) < 0.01)
        #expect(abs(isMirrored ? sign.x - margin : metrics.width - margin - sign.right) < 0.01)
      }
    }
  }

  @Test("Short times are in minutes, with hours for a film that has some")
  func shortTimes() throws {
    var theme = Theme()
    theme.times = .short
    let text = try #require(TextContext(families: ["Inter"]))
    let metrics = OverlayMetrics(screen: PixelSize(width: 1280, height: 720))
    func width(_ duration: Int, _ theme: Theme) -> Double {
      let bar = TransportBar(title: "", position: .seconds(6), duration: .seconds(duration))
      return BarTimes(bar, size: 18, metrics: metrics, theme: theme, text: text).lineWidth
    }
    #expect(width(30, theme) < width(30, Theme()) * 0.7)
    #expect(width(30, theme) < width(3600, theme))
  }

  @Test("The pictures of a drag equal those drawn one by one")
  func dragInOneGo() throws {
    var models: [OverlayModel] = []
    for bar in [States.dragging.bar, States.draggingArabic.bar] {
      var model = OverlayModel(bar: bar)
      // The first bubble covers the title, and times with hours take more room.
      for seconds in [2, 3, 200, 401, 590, 4000, 590] {
        model.bar?.position = .seconds(seconds)
        models.append(model)
      }
      model.bar?.duration = .seconds(360_000)
      for seconds in [1, 359_999, 1] {
        model.bar?.position = .seconds(seconds)
        models.append(model)
      }
      model.bar?.position = nil
      models.append(model)
      model.bar?.position = .seconds(7)
      model.bar?.bufferedUntil = .seconds(90_000)
      models.append(model)
      model.bar?.isPlaying = false
      models.append(model)
      model.message = "Volume 40 %"
      models.append(model)
      model.veil = OverlayVeil(opacity: 0.5, colour: 0x204060)
      models.append(model)
      model.veil = nil
      models.append(model)
      model.bar?.buttons = [.playPause, .previous, .next, .mute]
      models.append(model)
      models.append(OverlayModel(message: "Volume 40 %"))
      models.append(model)
    }
    models += [States.playing, States.dragging, States.live]
    for screen in [PixelSize(width: 640, height: 480), PixelSize(width: 720, height: 1280)] {
      for (number, model) in models.enumerated() {
        let image = try #require(renderer.render(model, screen: screen))
        let alone = try #require(OverlayRenderer().render(model, screen: screen))
        #expect(image.frame == alone.frame)
        // Compared outside of the expectation, which would print all pixels.
        let isSame = image.pixels == alone.pixels
        #expect(isSame, "model \(number) on \(screen)")
      }
    }
  }

  @Test("A veil covers the whole screen with its colour, below all other parts")
  func veil() throws {
    let screen = PixelSize(width: 640, height: 480)
    var model = OverlayModel()
    model.veil = OverlayVeil(opacity: 0.5, colour: 0xff8000)
    let alone = try #require(renderer.render(model, screen: screen))
    #expect(alone.frame == PixelRect(x: 0, y: 0, width: 640, height: 480))
    #expect(alone.pixels.allSatisfy { $0 == 0x8080_4000 })
    model.bar = States.playing.bar
    let withBar = try #require(renderer.render(model, screen: screen))
    #expect(withBar.frame == alone.frame && withBar.pixels.first == 0x8080_4000)
    // Black over the veil at about 0.8: little of the veil's red is left, and no more of the film shines through.
    let last = try #require(withBar.pixels.last)
    #expect(last >> 24 > 0x80 && last >> 16 & 0xff < 0x40)
  }

  @Test("The image is only as large as its parts")
  func bounds() throws {
    let screen = PixelSize(width: 1920, height: 1080)
    let bar = try #require(renderer.render(States.playing, screen: screen))
    #expect(bar.frame == PixelRect(x: 0, y: 860, width: 1920, height: 220))
    let pill = try #require(renderer.render(States.message, screen: screen))
    #expect(pill.frame.x == 60 && pill.frame.y == 60 && pill.frame.height == 83)
    #expect((200..<900).contains(pill.frame.width))
    let ring = try #require(renderer.render(OverlayModel(bufferingPercent: 5), screen: screen))
    #expect(ring.frame == PixelRect(x: 868, y: 448, width: 184, height: 184))
    let card = try #require(renderer.render(States.error, screen: screen))
    #expect(card.frame == PixelRect(x: 0, y: 0, width: 1920, height: 1080))
  }

  @Test("A renderer's pixels don't depend on what it drew before")
  func noMemory() {
    let first = renderer.render(States.playing, screen: screens[0])
    for screen in screens { _ = renderer.render(States.buffering, screen: screen) }
    let again = renderer.render(States.playing, screen: screens[0])
    #expect(first?.pixels == again?.pixels)
    #expect(first?.pixels != renderer.render(States.paused, screen: screens[0])?.pixels)
  }

  @Test("A dragged bar is drawn the same, however many texts were laid out before")
  func linesSetBefore() {
    for second in stride(from: 0, to: 300, by: 7) {
      let bar = TransportBar(
        title: "Film", position: .seconds(second), duration: .seconds(300), isPlaying: false, isDragged: true)
      let model = OverlayModel(bar: bar)
      let (again, first) = (
        renderer.render(model, screen: screens[0]), OverlayRenderer().render(model, screen: screens[0])
      )
      #expect(again?.frame == first?.frame && again?.pixels == first?.pixels, "at \(second) s")
    }
  }

  @Test("The played part ends at the position, in the accent, in both directions of the title")
  func progress() throws {
    let screen = PixelSize(width: 1920, height: 1080)
    let theme = Theme(accent: RGBColor(red: 0, green: 255, blue: 0))
    let renderer = OverlayRenderer(theme: theme)
    func accentColumns(_ title: String, seconds: Int) throws -> [Int] {
      let bar = TransportBar(title: title, position: .seconds(seconds), duration: .seconds(100))
      let image = try #require(renderer.render(OverlayModel(bar: bar), screen: screen))
      return (0..<screen.width).filter { image.pixel(x: $0, y: 1080 - 68) == 0xFF00_FF00 }
    }
    // A thumb of 12 px and the round end hide a little of each part.
    let half = try accentColumns("Film", seconds: 50)
    let whole = try accentColumns("Film", seconds: 100)
    #expect(abs(2 * half.count - whole.count) < 28)
    #expect(half.first == whole.first)
    #expect(try accentColumns("\u{5E9}\u{5DC}\u{5D5}\u{5DD}", seconds: 50) == half)
    #expect(try accentColumns("Film", seconds: 0).isEmpty)
  }

  @Test("The track keeps its place when the times become known and while they run")
  func steadyTrack() throws {
    let screen = PixelSize(width: 1280, height: 720)
    func trackStart(_ position: Duration?, _ duration: Duration?) throws -> Int? {
      let bar = TransportBar(title: "", position: position, duration: duration)
      let image = try #require(renderer.render(OverlayModel(bar: bar), screen: screen))
      // Just under the track's middle, right of the times: the first column that differs from the scrim.
      let y = 720 - 46
      let scrim = image.pixel(x: 0, y: y)
      return (200..<1280).first { image.pixel(x: $0, y: y) != scrim }
    }
    let unknown = try #require(try trackStart(nil, nil))
    #expect(try trackStart(.seconds(40_271), nil) == unknown)
    #expect(try trackStart(.seconds(4), nil) == unknown)
  }

  @Test("A long title is cut by an ellipsis on one line; a long body isn't cut", arguments: screens)
  func longTexts(screen: PixelSize) throws {
    let text = try #require(TextContext(families: ["Inter"]))
    let style = TextStyle(size: 20)
    let word = String(repeating: "Restoration ", count: 100)
    let title = text.line(word, style, width: 300)
    #expect(title.isEllipsized)
    #expect(title.height == text.line("Restoration", style).height)

    let metrics = OverlayMetrics(screen: screen)
    let card = ErrorCard(
      number: 3101, headline: .name(word.prefix(150).description),
      body: .name(States.longBody + States.longBody + States.longBody),
      footer: "booth-03")
    let content = ErrorCardPart.fitted(card, metrics: metrics, text: text)
    #expect(content.height <= metrics.height)
    #expect(content.lines.allSatisfy { !$0.text.isEllipsized })
    for line in content.lines {
      #expect(line.x + line.text.width <= content.width)
      #expect(line.y + line.text.height <= content.height)
    }
  }

  @Test("Control characters don't break a title's line, and a NUL doesn't end it")
  func controlCharacters() throws {
    let text = try #require(TextContext(families: ["Inter"]))
    let style = TextStyle(size: 20)
    let clean = text.line("One two three four", style)
    let dirty = text.line("One\ntwo\u{0}three\u{2028}four", style)
    #expect(dirty.width == clean.width)
    #expect(dirty.height == clean.height)
  }

  @Test("All digits have one width")
  func tabularFigures() throws {
    let text = try #require(TextContext(families: ["Inter"]))
    let style = TextStyle(size: 20, hasTabularFigures: true)
    #expect(text.line("11:11:11", style).width == text.line("00:00:00", style).width)
    #expect(
      text.line("11:11:11", TextStyle(size: 20)).width < text.line("00:00:00", TextStyle(size: 20)).width,
      "the font's own figures are of one width anyway, so this shows nothing")
  }
}

@Suite("A mouse's arrow")
struct PointerPictureTests {
  @Test(
    "The arrow has its tip at its place, an edge, and room in its square", arguments: screens)
  func arrow(screen: PixelSize) throws {
    let image = try #require(PointerPicture(screen: screen)).image(at: ScreenPoint(x: 100.7, y: 50.2))
    #expect(image.frame == PixelRect(x: 100, y: 50, width: 64, height: 64))
    func alpha(_ x: Int, _ y: Int) -> UInt32 { image.pixels[y * 64 + x] >> 24 }
    #expect(alpha(1, 1) > 128)
    // Premultiplied, white inside, and nothing beyond it.
    #expect(image.pixels[10 * 64 + 3] & 0xFFF0_F0F0 == 0xFFF0_F0F0)
    let rows = (0..<64).filter { y in (0..<64).contains { alpha($0, y) > 0 } }
    #expect(rows.first == 0 && (19...62).contains(rows.count) && rows.last.map { $0 + 1 } == rows.count)
    #expect((0..<64).allSatisfy { alpha(63, $0) == 0 && alpha($0, 63) == 0 })
  }
}
