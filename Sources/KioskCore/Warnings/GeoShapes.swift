internal import func Glibc.cos
internal import func Glibc.sin
public import InteractionCore

/// An area of the earth's surface within straight lines on a map; one that crosses the 180th meridian is allowed.
public struct GeoPolygon: Hashable, Sendable {
  /// The corners; the last one is joined with the first. The longitudes go on beyond 180 degrees where a line crosses
  /// that meridian.
  private let latitudes: [Double]
  private let longitudes: [Double]

  /// Nil for fewer than three corners.
  public init?(_ corners: [GeoPlace]) {
    guard corners.count >= 3 else { return nil }
    latitudes = corners.map(\.latitude)
    var longitudes: [Double] = []
    for corner in corners {
      let turns = longitudes.last.map { (($0 - corner.longitude) / 360).rounded() } ?? 0
      longitudes.append(corner.longitude + turns * 360)
    }
    self.longitudes = longitudes
  }

  /// Whether a place is within. One that is on a line may be, or not.
  public func contains(_ place: GeoPlace) -> Bool {
    [-360.0, 0, 360].contains { contains(place.latitude, place.longitude + $0) }
  }

  /// Counts the sides that a line to the east crosses.
  private func contains(_ latitude: Double, _ longitude: Double) -> Bool {
    var isInside = false
    var last = latitudes.count - 1
    for index in latitudes.indices {
      let (a, b) = (latitudes[index], latitudes[last])
      if (a > latitude) != (b > latitude) {
        let share = (latitude - a) / (b - a)
        if longitude < longitudes[index] + share * (longitudes[last] - longitudes[index]) { isInside.toggle() }
      }
      last = index
    }
    return isInside
  }
}

/// A place and all around it.
public struct GeoCircle: Hashable, Sendable {
  private let centre: GeoPlace
  private let kilometres: Double

  /// Nil for a radius below 0. A radius of 0 is the place alone, which no board is at.
  public init?(_ centre: GeoPlace, kilometres: Double) {
    guard kilometres >= 0, kilometres.isFinite else { return nil }
    self.centre = centre
    self.kilometres = kilometres
  }

  private static let earthRadius = 6371.0

  /// Whether a place is within, on a sphere: half a percent beside the real earth.
  public func contains(_ place: GeoPlace) -> Bool {
    // Half the earth's circumference is the longest way.
    guard kilometres < .pi * Self.earthRadius else { return true }
    let (a, b) = (Self.direction(centre), Self.direction(place))
    let (x, y, z) = (a.x - b.x, a.y - b.y, a.z - b.z)
    let chord = (x * x + y * y + z * z).squareRoot()
    return chord <= 2 * sin(kilometres / Self.earthRadius / 2)
  }

  private static func direction(_ place: GeoPlace) -> (x: Double, y: Double, z: Double) {
    let (latitude, longitude) = (place.latitude * .pi / 180, place.longitude * .pi / 180)
    return (cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
  }
}
