import PlaybackCore
import Testing

@Suite("Screen rotation")
struct ScreenRotationTests {
  private let view = PixelSize(width: 3, height: 2)

  @Test("A picture rotates clockwise")
  func pictures() {
    // 1 2 3
    // 4 5 6
    let pixels: [UInt32] = [1, 2, 3, 4, 5, 6]
    #expect(ScreenRotation.none.turn(pixels, size: view) == pixels)
    #expect(ScreenRotation.clockwise.turn(pixels, size: view) == [4, 1, 5, 2, 6, 3])
    #expect(ScreenRotation.half.turn(pixels, size: view) == [6, 5, 4, 3, 2, 1])
    #expect(ScreenRotation.counterclockwise.turn(pixels, size: view) == [3, 6, 2, 5, 1, 4])
    #expect(ScreenRotation.clockwise.turn([1, 2], size: view) == [])
  }

  @Test("A rotation and its inverse change nothing", arguments: ScreenRotation.allCases)
  func inverse(rotation: ScreenRotation) {
    let pixels: [UInt32] = Array(0..<6)
    let turned = rotation.turned(view)
    #expect(rotation.inverse.turn(rotation.turn(pixels, size: view), size: turned) == pixels)
    let rect = PixelRect(x: 1, y: 0, width: 2, height: 1)
    #expect(rotation.inverse.panelRect(of: rotation.panelRect(of: rect, view: view), view: turned) == rect)
  }

  @Test("A rotated rectangle is where its pixels are", arguments: ScreenRotation.allCases)
  func rectangles(rotation: ScreenRotation) {
    // One marked pixel of the view is where the rectangle says.
    for y in 0..<2 {
      for x in 0..<3 {
        var pixels = [UInt32](repeating: 0, count: 6)
        pixels[y * 3 + x] = 1
        let place = rotation.panelRect(of: PixelRect(x: x, y: y, width: 1, height: 1), view: view)
        let index = place.y * rotation.turned(view).width + place.x
        #expect(rotation.turn(pixels, size: view).firstIndex(of: 1) == index)
        #expect(place.size == PixelSize(width: 1, height: 1))
      }
    }
  }

  @Test("A touch on the panel gives the view's point that is shown there", arguments: ScreenRotation.allCases)
  func touches(rotation: ScreenRotation) {
    let panel = rotation.turned(view)
    for y in 0..<2 {
      for x in 0..<3 {
        let place = rotation.panelRect(of: PixelRect(x: x, y: y, width: 1, height: 1), view: view)
        let point = rotation.viewPoint(
          ofPanel: ((Double(place.x) + 0.5) / Double(panel.width), (Double(place.y) + 0.5) / Double(panel.height)))
        #expect(Int(point.x * 3) == x && Int(point.y * 2) == y)
      }
    }
  }
}
