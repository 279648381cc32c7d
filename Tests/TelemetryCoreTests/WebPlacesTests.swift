import PlaybackCore
import TelemetryCore
import Testing

@Suite("Places for HTTP connections")
struct WebPlacesTests {
  private let board: [UInt8] = [127, 0, 0, 1]
  private let far = WebLimits.connections - WebLimits.localConnections

  private func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }
  private func host(_ number: UInt8) -> [UInt8] { [192, 168, 1, number] }

  /// Admits a connection; gives its number, or nil without a place.
  private func enter(_ places: inout WebPlaces, _ address: [UInt8], _ time: Int64) -> (id: UInt64, instead: UInt64?)? {
    guard case .admitted(let id, let instead) = places.admit(address, at: at(time)) else { return nil }
    return (id, instead)
  }

  @Test("A header has a few seconds from its connection's start, however slowly it comes")
  func header() throws {
    var places = WebPlaces()
    let slow = try #require(enter(&places, board, 0)).id
    let quick = try #require(enter(&places, board, 0)).id
    places.headerCame(quick, at: at(100))
    let limit = Int64(WebLimits.headerSeconds) * 1000
    #expect(places.expired(at: at(limit)) == [])
    #expect(places.expired(at: at(limit + 1)) == [slow])
    // A request after the header has the usual time.
    #expect(places.expired(at: at(Int64(WebLimits.seconds) * 1000 + 101)) == [slow, quick])
    places.requestCame(quick, at: at(200))
    places.answered(quick, at: at(300))
    #expect(places.expired(at: at(Int64(WebLimits.seconds) * 1000 + 300)) == [slow])
  }

  @Test("Two dozen clients that trickle and reconnect at once don't keep out a client that asks promptly")
  func trickle() throws {
    for scraper in [board, host(9)] {
      for attacker in [board, host(7)] {
        var places = WebPlaces()
        for time in 0..<24 { _ = enter(&places, attacker, Int64(time)) }
        for round in Int64(1)..<100 {
          let come = try #require(enter(&places, scraper, round * 100), "\(scraper) \(attacker)")
          // Eight attackers connect in the same turn of the loop, before the scraper's header is read.
          for step in 0..<Int64(attacker == scraper ? 4 : 8) { _ = enter(&places, attacker, round * 100 + step) }
          places.headerCame(come.id, at: at(round * 100 + 10))
          places.requestCame(come.id, at: at(round * 100 + 10))
          for step in 20..<Int64(40) {
            #expect(enter(&places, attacker, round * 100 + step)?.instead != come.id)
          }
          places.answered(come.id, at: at(round * 100 + 50))
          places.leave(come.id)
        }
      }
    }
  }

  @Test("The board's own clients find places that remote ones can't take")
  func local() throws {
    var places = WebPlaces()
    for number in 0..<UInt8(far) {
      let id = try #require(enter(&places, host(number), 0)).id
      places.headerCame(id, at: at(1))
      places.requestCame(id, at: at(1))
    }
    #expect(places.admit(host(200), at: at(100_000)) == .refused)
    for address in [board, [UInt8](repeating: 0, count: 15) + [1]] {
      #expect(enter(&places, address, 100_000)?.instead == nil)
    }
    #expect(places.count == WebLimits.connections)
    // The board's own connections don't give way to a remote one either.
    #expect(places.admit(host(201), at: at(200_000)) == .refused)
  }

  @Test("The address with the most connections loses one first; an IPv6 network counts as one address")
  func fair() throws {
    var places = WebPlaces()
    let single = try #require(enter(&places, host(1), 0)).id
    func many(_ number: UInt8) -> [UInt8] { [0x20, 1, 0xD, 0xB8, 0, 0, 0, 1] + [UInt8](repeating: number, count: 8) }
    let first = try #require(enter(&places, many(0), 10)).id
    for number in 1..<UInt8(far - 1) { #expect(enter(&places, many(number), 20)?.instead == nil) }
    #expect(enter(&places, host(2), 30)?.instead == first, "though another one has waited for longer")
    places.leave(single)
  }

  @Test("A browser's idle connection is kept for a moment; one with a running answer is never ended for another")
  func idle() throws {
    var places = WebPlaces()
    var ids: [UInt64] = []
    for number in 0..<UInt8(far) {
      let id = try #require(enter(&places, host(number), 0)).id
      ids.append(id)
      places.headerCame(id, at: at(0))
      places.requestCame(id, at: at(0))
      places.answered(id, at: at(Int64(number)))
    }
    let idle = Int64(WebLimits.idleSeconds) * 1000
    #expect(places.admit(host(100), at: at(idle - 1)) == .refused)
    #expect(enter(&places, host(100), idle + 10)?.instead == ids[0])
  }
}
