import InteractionCore
import PlaybackCore
import Testing

@testable import OverlayRenderer

@Suite("Alerts on the overlay")
struct AlertPartTests {
  private func part(
    _ alerts: [ShownAlert], _ width: Int, _ height: Int, theme: Theme = Theme()
  ) throws -> AlertPart {
    let text = try #require(TextContext(theme))
    let metrics = theme.metrics(screen: PixelSize(width: width, height: height))
    return try #require(AlertPart(alerts, metrics: metrics, theme: theme, text: text))
  }

  private static let screens = [(800, 480), (640, 480), (480, 800), (1920, 1080), (1080, 1920), (3840, 2160)]

  @Test(
    "The longest sentence is shown whole, in type that is read from afar; the bar and half of the picture stay clear")
  func longest() throws {
    let long = String(
      String(repeating: "Please leave the building by stair B and wait at the fountain. ", count: 9)
        .prefix(CommandLimits.alertCharacters))
    for (width, height) in Self.screens {
      let part = try part([ShownAlert(long, isTest: true)], width, height)
      #expect(part.isComplete && part.bounds.bottom <= Double(height) / 2 + 1, "\(width)x\(height)")
      #expect(part.bounds.width == Double(width) && part.bounds.y == 0)
      #expect(part.type >= OverlayMetrics.messageType * Double(min(width, height)) / 54, "\(width)x\(height)")
      #expect(try self.part([ShownAlert("Leave by stair B")], width, height).type > part.type)
    }
  }

  @Test("More than fits is cut with an ellipsis, and line breaks take no room")
  func tooMuch() throws {
    let words = String(repeating: "Donaudampfschifffahrtsgesellschaftskapitän ", count: 7)
    for (width, height) in Self.screens {
      for text in [words, String(repeating: "W", count: 300)] {
        let part = try part((0..<5).map { _ in ShownAlert(text, isTest: true) }, width, height)
        #expect(!part.isComplete && part.bounds.bottom < Double(height), "\(width)x\(height)")
      }
      let broken = try part([ShownAlert(String(repeating: "a\n", count: 150))], width, height)
      #expect(broken.isComplete && broken.bounds.bottom <= Double(height) / 2 + 1)
    }
  }

  @Test("Letters have 4.5:1 on every accent, and 21:1 with high contrast")
  func contrast() throws {
    for red in stride(from: 0, through: 255, by: 15) {
      for green in stride(from: 0, through: 255, by: 15) {
        for blue in stride(from: 0, through: 255, by: 15) {
          let ground = RGBColor(red: UInt8(red), green: UInt8(green), blue: UInt8(blue))
          #expect(AlertPart.letters(on: ground).contrast(with: ground) >= 4.5)
        }
      }
    }
    var look = OverlayLook()
    look.contrast = .high
    let screen = PixelSize(width: 1280, height: 720)
    let image = try #require(OverlayRenderer(theme: Theme(look)).render(States.alertInstead, screen: screen))
    #expect(image.pixel(x: 0, y: 0) == 0xFFFF_FFFF && image.pixels.contains(0xFF00_0000))
  }

  @Test("A band is opaque, and an alert in place of everything covers every pixel, also an error")
  func covers() throws {
    let screen = PixelSize(width: 640, height: 480)
    var model = States.error
    model.alerts = [ShownAlert("Leave by stair B")]
    let band = try #require(OverlayRenderer().render(model, screen: screen))
    let ground = 0xFF00_0000 | OverlayLook().accent
    #expect(band.pixel(x: 0, y: 0) == ground && band.pixel(x: 639, y: 5) == ground)
    model.alerts[0].isInstead = true
    let all = try #require(OverlayRenderer().render(model, screen: screen))
    #expect(all.frame.size == screen && all.pixels.allSatisfy { $0 >> 24 == 0xFF })
    #expect(all.pixel(x: 5, y: 475) == ground)
  }
}
