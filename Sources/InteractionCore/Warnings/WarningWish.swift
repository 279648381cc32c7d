/// How severe a warning of an authority is (CAP 1.2, `severity`).
public enum WarningSeverity: String, Hashable, Sendable, CaseIterable, Comparable {
  /// Minimal to no threat known, and what its issuer doesn't rate.
  case minor
  /// A possible threat to life or property.
  case moderate
  /// A significant threat.
  case severe
  /// An extraordinary threat.
  case extreme

  public static func < (a: WarningSeverity, b: WarningSeverity) -> Bool { a.rank < b.rank }
  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// An area by a code of a list that warnings use, such as `SAME=006037` or `EMMA_ID=DE413`.
public struct WarningArea: Hashable, Sendable, CustomStringConvertible {
  /// The list's name, in capitals: issuers don't agree on the case.
  public let list: String
  public let code: String

  public init?(list: String, code: String) {
    guard !list.isEmpty, !code.isEmpty else { return nil }
    self.list = list.uppercased()
    self.code = code
  }

  /// Reads `LIST=CODE`.
  public init?(_ text: String) {
    guard let sign = text.firstIndex(of: "="), text.utf8.count <= 128, !text.contains(where: \.isWhitespace) else {
      return nil
    }
    self.init(list: String(text[..<sign]), code: String(text[text.index(after: sign)...]))
  }

  public var description: String { "\(list)=\(code)" }
}

/// A place on the earth (WGS 84).
public struct GeoPlace: Hashable, Sendable {
  /// In degrees, -90...90; north is positive.
  public let latitude: Double
  /// In degrees, -180...180; east is positive.
  public let longitude: Double

  /// Nil for numbers that are no place.
  public init?(latitude: Double, longitude: Double) {
    guard abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// Which warnings a board shows.
public struct WarningWish: Hashable, Sendable {
  /// The areas whose warnings are shown.
  public var areas: Set<WarningArea> = []
  /// The board's place; warnings for areas around it are shown.
  public var place: GeoPlace?
  /// Less severe ones aren't shown.
  public var leastSeverity = WarningSeverity.severe
  /// Whether tests of an authority are shown, marked as tests.
  public var showsTests = false

  public init() {}

  /// Whether warnings for all areas are shown.
  public var isForAnywhere: Bool { areas.isEmpty && place == nil }
}
