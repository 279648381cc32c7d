public import ControlProtocol
internal import JSONText
public import KioskCore

/// The body of a report: docs/heartbeat.md explains each member.
public enum HeartbeatText {
  /// A later version adds members and never changes the meaning of one.
  public static let schema: Int64 = 1

  /// - Parameters:
  ///   - time: milliseconds since 1970.
  ///   - picture: the screen's picture, if one was wanted and could be made.
  public static func body(
    _ beat: HeartbeatMachine.Beat, status: KioskStatus, time: Int64, isClockGood: Bool, picture: ControlPicture?
  ) -> [UInt8] {
    let problems = beat.problems.map { problem in
      JSONValue.object([
        .init("time", .string(UTCTime.iso(milliseconds: problem.time))),
        .init("error", ControlReply.json(problem.error)),
      ])
    }
    let head: [JSONValue.Member] = [
      .init("schema", .integer(schema)), .init("number", .integer(Int64(beat.number))),
      .init("time", .string(UTCTime.iso(milliseconds: time))), .init("clock_synchronised", .boolean(isClockGood)),
      .init("problems", .array(problems)), .init("problems_lost", .integer(Int64(beat.problemsLost))),
      .init("status", ControlWatch.json(status)),
    ]
    var bytes = Array(JSONValue.object(head).compact.utf8)
    guard let picture else { return bytes }
    bytes.removeLast()
    // The picture's characters are appended unchanged: encoding each of them would block the loop for too long.
    bytes += Array(",\"screenshot\":{\"type\":\"image/\(picture.format.rawValue)\",".utf8)
    bytes += Array(
      "\"source\":\"\(picture.source.rawValue)\",\"width\":\(picture.width),\"height\":\(picture.height),\"base64\":\""
        .utf8)
    bytes += picture.base64
    bytes += Array("\"}}".utf8)
    return bytes
  }
}
