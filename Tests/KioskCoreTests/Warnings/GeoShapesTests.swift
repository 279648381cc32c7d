import InteractionCore
import KioskCore
import PlaybackCore
import Testing

@Suite("Shapes on the earth")
struct GeoShapesTests {
  private func place(_ latitude: Double, _ longitude: Double) throws -> GeoPlace {
    try #require(GeoPlace(latitude: latitude, longitude: longitude))
  }

  @Test("Numbers that are no place are refused")
  func places() {
    for (latitude, longitude) in [(90.1, 0.0), (-91, 0), (0, 180.5), (0, -181), (.nan, 0), (0, .infinity)] {
      #expect(GeoPlace(latitude: latitude, longitude: longitude) == nil)
    }
    #expect(GeoPlace(latitude: -90, longitude: 180) != nil)
  }

  @Test("A polygon has what is within it, with corners that point inwards, on both sides of the 180th meridian")
  func polygons() throws {
    let bay = try #require(
      GeoPolygon([try place(0, 0), try place(0, 10), try place(10, 10), try place(2, 5), try place(10, 0)]))
    #expect(try bay.contains(place(1, 5)) && !bay.contains(place(5, 5)) && bay.contains(place(5, 1)))
    #expect(try !bay.contains(place(-1, 5)) && !bay.contains(place(1, 11)) && !bay.contains(place(1, -1)))
    let fiji = try #require(
      GeoPolygon([try place(-20, 176), try place(-20, -178), try place(-15, -178), try place(-15, 176)]))
    #expect(try fiji.contains(place(-17, 179)) && fiji.contains(place(-17, -179)))
    #expect(try !fiji.contains(place(-17, 175)) && !fiji.contains(place(-17, -177)) && !fiji.contains(place(-17, 0)))
    #expect(GeoPolygon([try place(0, 0), try place(1, 1)]) == nil)
  }

  @Test("A circle has what is nearer than its radius: distances of well known places")
  func circles() throws {
    let berlin = try place(52.52, 13.405)
    for (latitude, longitude, kilometres) in [
      (48.137, 11.575, 504.0), (40.713, -74.006, 6385), (-33.869, 151.209, 16_089), (52.52, 13.405, 0),
    ] {
      let there = try place(latitude, longitude)
      #expect(try #require(GeoCircle(berlin, kilometres: kilometres * 1.01 + 0.1)).contains(there), "\(kilometres)")
      if kilometres > 0 {
        #expect(try !#require(GeoCircle(berlin, kilometres: kilometres * 0.99)).contains(there), "\(kilometres)")
      }
    }
    #expect(GeoCircle(berlin, kilometres: -1) == nil && GeoCircle(berlin, kilometres: .infinity) == nil)
    #expect(try #require(GeoCircle(berlin, kilometres: 25_000)).contains(place(-52, -166)))
    #expect(try #require(GeoCircle(place(0, 179.9), kilometres: 30)).contains(place(0, -179.9)))
  }
}
