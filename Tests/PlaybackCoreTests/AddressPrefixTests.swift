import PlaybackCore
import Testing

@Suite("Addresses and networks that are let in")
struct AddressPrefixTests {
  @Test(
    "An address is a network of one; a network has all that begins like it",
    arguments: [
      ("10.0.3.7", [10, 0, 3, 7], true), ("10.0.3.7", [10, 0, 3, 8], false), ("10.0.3.0/24", [10, 0, 3, 255], true),
      ("10.0.3.0/24", [10, 0, 4, 0], false), ("10.0.2.0/23", [10, 0, 3, 1], true), ("0.0.0.0/0", [8, 8, 8, 8], true),
      ("0.0.0.0/0", [UInt8](repeating: 0, count: 16), false),
      ("fd00:3::/64", [0xFD, 0, 0, 3] + [UInt8](repeating: 0, count: 4) + [UInt8](repeating: 9, count: 8), true),
      ("fd00:3::/64", [0xFD, 0, 0, 3, 0, 0, 0, 1] + [UInt8](repeating: 9, count: 8), false),
    ] as [(String, [UInt8], Bool)])
  func contains(text: String, address: [UInt8], isInside: Bool) throws {
    #expect(try #require(AddressPrefix(text)).contains(address) == isInside)
  }

  @Test(
    "Names, slips and other spellings are refused",
    arguments: [
      "", "hall", "10.0.3", "10.0.3.07", "10.0.3.7/33", "10.0.3.7/-1", "10.0.3.7/", "10.0.3.7/24", "fd00::1/64",
      "10.0.3.0/24/1", "fe80::1%eth0", "[::1]", "fd00::/129", "0x7f000001",
    ])
  func refused(text: String) { #expect(AddressPrefix(text) == nil) }

  @Test("An IPv4 address that a socket of IPv6 reports is that IPv4 address")
  func mapped() {
    let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF, 10, 0, 3, 7]
    #expect(AddressPrefix.plain(mapped) == [10, 0, 3, 7])
    #expect(AddressPrefix.plain([10, 0, 3, 7]) == [10, 0, 3, 7])
    #expect(AddressPrefix("10.0.3.0/24")?.description == "10.0.3.0/24")
    #expect(AddressPrefix("fd00:3::/64")?.description == "fd00:3:0:0:0:0:0:0/64")
  }

  @Test("So many are admitted a second, and a burst after a pause")
  func allowance() {
    var allowance = RateAllowance(perSecond: 10, burst: 3)
    let begin = Instant(nanoseconds: 5_000_000_000)
    func admitted(_ milliseconds: [Int64]) -> [Bool] {
      milliseconds.map { allowance.admit(at: begin + .milliseconds($0)) }
    }
    #expect(admitted([0, 0, 0, 0, 0]) == [true, true, true, false, false])
    #expect(admitted([50, 150, 160]) == [false, true, false])
    #expect(admitted([60_000, 60_000, 60_000, 60_000]) == [true, true, true, false])
  }
}
