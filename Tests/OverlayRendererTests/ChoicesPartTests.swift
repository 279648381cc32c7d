import InteractionCore
import PlaybackCore
import Testing

@testable import OverlayRenderer

@Suite("The panel of choices, captions beside it, and a bar that stands higher")
struct ChoicesPartTests {
  private static func metrics(_ golden: ChoiceCase) -> OverlayMetrics {
    Theme(golden.look).metrics(screen: golden.size, density: golden.density)
  }

  @Test("The panel is on the screen, its rows are as large as a finger, and captions have room beside it")
  func places() throws {
    for golden in ChoiceCase.latin + ChoiceCase.han where golden.hasPanel {
      let grid = Self.metrics(golden).choiceGrid(isRightToLeft: false)
      let list = golden.list
      let panel = grid.panel(of: list.lines.count)
      #expect(panel.x >= 0 && panel.x + panel.width <= Double(golden.width), "\(golden.name)")
      #expect(panel.y >= 0 && panel.y + panel.height <= Double(golden.height), "\(golden.name)")
      for place in list.places {
        let area = grid.area(of: place, in: list, at: 0)
        #expect(area.height >= 3.2 * Double(min(golden.width, golden.height)) / 54 - 1, "\(golden.name)")
        if let density = golden.density { #expect(area.height / density >= 8.9, "\(golden.name)") }
        #expect(area.x >= panel.x && area.x + area.width <= panel.x + panel.width + 0.01)
      }
      #expect(panel.width * panel.height <= 0.61 * Double(golden.width * golden.height), "\(golden.name)")
    }
  }

  @Test("Captions of each size and ground stay on the screen, and off the panel and the bar")
  func captions() throws {
    let cues = [
      States.cue("It was late when they came back,\nand nobody had lit the lamps in the great hall that night."),
      States.cue("A corner", placement: CuePlacement(line: .percent(96), position: 100, size: 20, alignment: .right)),
      States.cue("The top", placement: CuePlacement(line: .row(0), alignment: .left)),
    ]
    for (width, height) in [(640, 480), (1280, 720), (720, 1280), (1080, 1920)] {
      for millimetres in [0.0, 60, 300] {
        var look = OverlayLook()
        look.heightMillimetres = millimetres
        let renderer = OverlayRenderer(theme: Theme(look))
        let screen = PixelSize(width: width, height: height)
        let (text, metrics) = (
          try #require(TextContext(renderer.theme)), renderer.theme.metrics(screen: screen, density: 1.6)
        )
        let panel = Box(metrics.choiceGrid(isRightToLeft: false).panel(of: 12))
        for size in CaptionLook.Size.allCases {
          for ground in CaptionLook.Ground.allCases {
            for (isBarShown, beside) in [(false, nil), (true, nil), (false, panel)] as [(Bool, Box?)] {
              var wanted = CaptionLook()
              (wanted.size, wanted.ground) = (size, ground)
              for cue in cues {
                let part = try #require(
                  SubtitlePart([cue], wanted, isBarShown: isBarShown, beside: beside, metrics: metrics, text: text),
                  "\(screen), \(size), \(isBarShown), \(millimetres)")
                // The text is within the bounds by a part of the type, and its edge.
                let edge = ground == .outline ? OverlayMetrics.subtitleOutline : 0
                let spill = metrics.pixels(edge + OverlayMetrics.subtitleType * size.factor / 2)
                let ink = Box(
                  x: part.bounds.x + spill, y: part.bounds.y + spill, width: part.bounds.width - 2 * spill,
                  height: part.bounds.height - 2 * spill)
                #expect(ink.x >= 0 && ink.right <= Double(width) && ink.y >= 0 && ink.bottom <= Double(height))
                if beside != nil {
                  #expect(ink.right <= panel.x || ink.bottom <= panel.y, "\(screen), \(size), \(cue.text)")
                }
                if isBarShown {
                  let row = Double(height) - metrics.lower - metrics.pixels(metrics.subtitleAboveBar)
                  #expect(ink.bottom <= row + 1 || ink.y >= Double(height) - metrics.lower, "\(screen), \(size)")
                }
              }
            }
          }
        }
      }
    }
  }

  @Test("A box is drawn behind the text, and high contrast makes it black")
  func box() throws {
    let renderer = OverlayRenderer()
    func darkest(_ change: (inout CaptionLook) -> Void) throws -> (alpha: UInt32, count: Int) {
      var model = OverlayModel(subtitles: [States.cue("HOH")])
      change(&model.captionLook)
      let image = try #require(renderer.render(model, screen: PixelSize(width: 1280, height: 720)))
      let black = image.pixels.filter { $0 & 0xFFFFFF == 0 && $0 >> 24 > 0 }
      return (black.map { $0 >> 24 }.max() ?? 0, black.count)
    }
    let outline = try darkest { _ in }
    let box = try darkest { $0.ground = .box }
    let contrast = try darkest {
      $0.ground = .box
      $0.hasHighContrast = true
    }
    #expect(box.count > 2 * outline.count && box.alpha == 204 && contrast.alpha == 255)
    #expect(try darkest { $0.hasHighContrast = true }.alpha == 255)
  }

  @Test("The bar stands as high as configured, in millimetres, and at most in the middle; without a size at the edge")
  func raised() throws {
    let screen = PixelSize(width: 1080, height: 1920)
    func play(_ millimetres: Double, density: Double?) throws -> OverlayTargets.Area {
      var look = OverlayLook()
      look.heightMillimetres = millimetres
      var bar = States.playingBar
      bar.buttons = [.playPause]
      let targets = OverlayRenderer(theme: Theme(look)).targets(of: bar, screen: screen, density: density)
      return try #require(targets.buttons[.playPause])
    }
    let plain = try play(0, density: 1.5)
    #expect(try abs(plain.y - play(200, density: 1.5).y - 300) <= 1)
    #expect(try play(200, density: nil) == play(0, density: nil))
    for scale in [1.0, 3] {
      var look = OverlayLook()
      (look.heightMillimetres, look.scale) = (2200, scale)
      let renderer = OverlayRenderer(theme: Theme(look))
      let image = try #require(
        renderer.render(OverlayModel(bar: States.playingBar), screen: screen, density: 1.5))
      #expect(image.frame.y > 0 && image.frame.y + image.frame.height < 1920)
      let grid = renderer.tileGrid(count: 30, screen: screen, density: 1.5)
      let last = grid.area(of: grid.tilesOnPage - 1)
      #expect(last.y + last.height <= 960 && last.width > 60 && grid.first.y >= 0)
      let choices = renderer.choiceGrid(screen: screen, density: 1.5)
      let panel = choices.panel(of: 40)
      #expect(panel.y >= 0 && panel.y + panel.height <= 960 && choices.linesInView(of: 40) >= 3)
    }
  }

  @Test("A dragged bar that stands higher is drawn at its place, with something below it too")
  func dragged() throws {
    var look = OverlayLook()
    look.heightMillimetres = 200
    let screen = PixelSize(width: 720, height: 1280)
    var model = OverlayModel(bar: States.playingBar)
    model.bar?.isDragged = true
    model.subtitles = [States.cue("Below the bar")]
    let renderer = OverlayRenderer(theme: Theme(look))
    _ = renderer.render(model, screen: screen, density: 1.5)
    model.bar?.position = .seconds(300)
    let kept = try #require(renderer.render(model, screen: screen, density: 1.5))
    let bar = try #require(model.bar)
    let play = try #require(renderer.targets(of: bar, screen: screen, density: 1.5).buttons[.playPause])
    let sign = (Int(play.y)..<Int(play.y + play.height)).reduce(0) { count, y in
      count + (Int(play.x)..<Int(play.x + play.width)).count { kept.pixel(x: $0, y: y) == 0xFFFF_FFFF }
    }
    #expect(sign > 20, "the two bars of the button")
    #expect(kept.frame.y + kept.frame.height > 1280 - 300 + 50, "something is below the bar")
  }
}
