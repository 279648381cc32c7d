// Arithmetic on numbers that come from outside: sizes and dates of files, room on a disk, times that a medium claims.
// Swift's operators end the program where a result doesn't fit; these give the nearest number that does.

extension Int64 {
  public func clampedAdding(_ other: Int64) -> Int64 {
    let (sum, isTooFar) = addingReportingOverflow(other)
    return isTooFar ? (other < 0 ? .min : .max) : sum
  }

  public func clampedSubtracting(_ other: Int64) -> Int64 {
    let (difference, isTooFar) = subtractingReportingOverflow(other)
    return isTooFar ? (other < 0 ? .max : .min) : difference
  }

  public func clampedMultiplied(by other: Int64) -> Int64 {
    let (product, isTooFar) = multipliedReportingOverflow(by: other)
    return isTooFar ? ((self < 0) == (other < 0) ? .max : .min) : product
  }
}
