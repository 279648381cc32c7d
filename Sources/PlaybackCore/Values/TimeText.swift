/// Times as text for the screen.
public enum TimeText {
  /// Stands for an unknown time. Its blanks keep it apart from the text around it.
  public static let unknown = " -- "

  /// `HH:mm:ss`, or ` -- ` for nil.
  ///
  /// - Parameter time: rounded down to a whole second, because a clock shows the second that has begun. Negative
  ///   times count as zero. Past 99 hours the hours take as many digits as they need.
  public static func text(_ time: Duration?) -> String {
    guard let time else { return unknown }
    let seconds = max(0, time.components.seconds)
    return "\(twoDigits(seconds / 3600)):\(twoDigits(seconds / 60 % 60)):\(twoDigits(seconds % 60))"
  }

  /// `HH:mm:ss / HH:mm:ss`, each side ` -- ` while unknown. The blanks of ` -- ` merge with those around the slash.
  public static func text(position: Duration?, duration: Duration?) -> String {
    let left = position == nil ? unknown : text(position) + " "
    let right = duration == nil ? unknown : " " + text(duration)
    return left + "/" + right
  }

  /// `m:ss`, or ` -- ` for nil; `h:mm:ss` from an hour on, and beside a time of an hour or more.
  ///
  /// - Parameters:
  ///   - time: rounded down, as in `text(_:)`.
  ///   - other: the time shown beside it, such as the duration for a position: both get the same format.
  public static func short(_ time: Duration?, beside other: Duration? = nil) -> String {
    guard let time else { return unknown }
    let seconds = max(0, time.components.seconds)
    let rest = "\(twoDigits(seconds % 60))"
    guard max(seconds, other?.components.seconds ?? 0) >= 3600 else { return "\(seconds / 60):\(rest)" }
    return "\(seconds / 3600):\(twoDigits(seconds / 60 % 60)):\(rest)"
  }

  private static func twoDigits(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
