public import JSONText
internal import KioskCore
internal import PlaybackCore

/// The tables that `vitrine log --visits` prints.
public enum VisitTable {
  public static let head = "start,end,seconds,screen,items,ended,captions,language,description,watched,clock,signed"

  /// A line of comma-separated values for a visit. `watched` has each item with its seconds.
  public static func row(_ visit: Visit) -> String {
    let watched = visit.plays.map { play in
      "\(play.item.title.isEmpty ? play.item.uri : play.item.title): \(PlayTable.seconds(play.seconds))"
    }
    let cells = [
      UTCTime.iso(milliseconds: visit.start), UTCTime.iso(milliseconds: visit.end), PlayTable.seconds(visit.seconds),
      visit.screen ?? "", "\(visit.plays.count)", "\(visit.plays.count { $0.ending == .end })",
      visit.captions ?? "", visit.language ?? "", visit.hearsDescription ? "on" : "", watched.joined(separator: " | "),
      visit.isClockGood ? "" : "unsynchronised", visit.isSigned ? "on" : "",
    ]
    return cells.map(PlayTable.cell).joined(separator: ",")
  }

  /// A line of names, and one for each item.
  public static func sums(_ visits: [Visit]) -> [String] {
    ["item,title,plays,ended,seconds"]
      + VisitSums.items(of: visits).map { item in
        [item.uri, item.title, "\(item.plays)", "\(item.ended)", PlayTable.seconds(item.seconds)].map(PlayTable.cell)
          .joined(separator: ",")
      }
  }

  /// The table for people.
  public static func text(_ visits: [Visit]) -> [String] {
    guard !visits.isEmpty else { return ["nobody has come for the visitors' list"] }
    let average = visits.reduce(0) { $0 + $1.seconds } / Double(visits.count)
    var lines = [
      "\(visits.count) \(visits.count == 1 ? "visit" : "visits"), \(PlayTable.clock(average)) long on average; "
        + "captions in \(visits.count(where: \.hadCaptions)), another language in "
        + "\(visits.count { $0.language != nil }), audio description in \(visits.count(where: \.hearsDescription)), "
        + "sign language in \(visits.count(where: \.isSigned))",
      "   plays  to its end     average  item",
    ]
    for item in VisitSums.items(of: visits) {
      let name = PlayTable.name(item.title, item.uri)
      let watched = PlayTable.clock(item.seconds / Double(item.plays))
      lines.append(
        "\(PlayTable.right(item.plays, 8))\(PlayTable.right(item.ended, 12))\(PlayTable.right(watched, 12))  \(name)")
    }
    return lines + PlayTable.doubt(visits.count { !$0.isClockGood }, of: "visits")
  }

  public static func json(_ visits: [Visit], withVisits: Bool) -> JSONValue {
    var members: [JSONValue.Member] = []
    if withVisits {
      let all = visits.map { visit in
        var members: [JSONValue.Member] = [
          .init("start", .string(UTCTime.iso(milliseconds: visit.start))),
          .init("end", .string(UTCTime.iso(milliseconds: visit.end))), .init("seconds", .number(visit.seconds)),
        ]
        for (name, text) in [
          ("screen", visit.screen), ("captions", visit.captions), ("language", visit.language),
          ("description", visit.hearsDescription ? "on" : nil), ("signed", visit.isSigned ? "on" : nil),
        ] {
          if let text { members.append(.init(name, .string(text))) }
        }
        let plays = visit.plays.compactMap { try? JSONValue(parsing: $0.line.utf8) }
        return JSONValue.object(members + [.init("plays", .array(plays))])
      }
      members.append(.init("visits", .array(all)))
    }
    let items = VisitSums.items(of: visits).map { item in
      JSONValue.object([
        .init("item", .string(item.uri)), .init("title", .string(item.title)),
        .init("plays", .integer(Int64(item.plays))), .init("ended", .integer(Int64(item.ended))),
        .init("seconds", .number(item.seconds)),
      ])
    }
    return .object(members + [.init("items", .array(items))])
  }
}
