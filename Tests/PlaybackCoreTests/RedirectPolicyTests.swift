import Testing

@testable import PlaybackCore

@Suite("Redirects that a server may ask for")
struct RedirectPolicyTests {
  @Test(
    "An origin is scheme, host and port",
    arguments: [
      ("https://example.com/a", "https://example.com"), ("HTTPS://Example.COM:443", "https://example.com"),
      ("http://example.com:443/", "http://example.com:443"), ("http://user:p@ss@example.com/", "http://example.com"),
      ("https://[FE80::1]:8443/x", "https://[fe80::1]:8443"), ("https://example.com.:/", "https://example.com"),
    ])
  func origins(address: String, origin: String) {
    #expect(WebOrigin(address: address)?.description == origin)
  }

  @Test(
    "An address that isn't a web server's has no origin",
    arguments: [
      "file:///etc/passwd", "rtsp://a/b", "http:/a", "http://", "//a/b", "a", "https://a:99999/", "https://a:x/",
    ])
  func noOrigins(address: String) {
    #expect(WebOrigin(address: address) == nil)
  }

  @Test(
    "An address's reach: this machine, the local network or the internet",
    arguments: [
      ("127.0.0.1", NetworkReach.loopback), ("127.1", .loopback), ("0x7f.1", .loopback), ("2130706433", .loopback),
      ("017700000001", .loopback), ("0.0.0.0", .loopback), ("[::1]", .loopback), ("::", .loopback),
      ("::ffff:127.0.0.1", .loopback), ("::ffff:7f00:1", .loopback), ("64:ff9b::127.0.0.1", .loopback),
      ("::ffff:0:127.0.0.1", .loopback), ("::127.0.0.1", .loopback), ("::ffff:0.0.0.0", .loopback),
      ("64:ff9b:1::127.0.0.1", .loopback), ("64:ff9b:1:7f00:0:100::", .loopback),
      ("64:ff9b:1:a7f:0:1::", .loopback), ("64:ff9b:1:a0a:1:100::", .local), ("64:ff9b:1:abcd:a:1:100:0", .local),
      // Teredo: the other end's IPv4 address has its bits inverted.
      ("2001:0:cb00:7107:0:0:80ff:fffe", .loopback), ("2001:0:7f00:1::f7f7:f7f7", .loopback),
      ("2001:0:cb00:7107:0:0:3f57:fffe", .local),
      ("2002:7f00:1::", .loopback), ("2002:c0a8:1::", .local), ("localhost", .loopback), ("a.LOCALHOST.", .loopback),
      ("10.1.2.3", .local), ("172.16.0.1", .local), ("172.31.255.255", .local), ("192.168.1.1", .local),
      ("169.254.169.254", .local), ("100.64.0.1", .local), ("fd00::1", .local), ("fe80::1%eth0", .local),
      ("::ffff:192.168.0.1", .local), ("64:ff9b::a00:1", .local),
      ("172.32.0.1", .everywhere), ("100.128.0.1", .everywhere), ("8.8.8.8", .everywhere),
      ("192.169.0.1", .everywhere), ("2001:db8::1", .everywhere), ("203.0.113.7", .everywhere),
      ("64:ff9b::8.8.8.8", .everywhere), ("64:ff9b:1::8.8.8.8", .everywhere), ("2002:808:808::", .everywhere),
      ("2001:0:cb00:7107:0:0:f7f7:f7f7", .everywhere), ("::ffff:0:8.8.8.8", .everywhere), ("::2:0:0:1", .everywhere),
    ])
  func reaches(host: String, reach: NetworkReach) {
    #expect(NetworkReach(host: host) == reach)
  }

  @Test("A name has no reach yet", arguments: ["example.com", "1.2.3.4.5", "256.1.1.1", "a:b", "", "1.2.3.x", "0x"])
  func names(host: String) {
    #expect(NetworkReach(host: host) == nil)
  }

  @Test(
    "A server's redirect is allowed or refused by its address",
    arguments: [
      ("https://a/", "https://b/", nil), ("http://a/", "http://b:81/", nil), ("http://a/", "https://b/", nil),
      ("https://a/", "http://a/", RedirectPolicy.Refusal.downgrade), ("https://a/", "http://b:443/", .downgrade),
      ("http://a/", "file:///etc/passwd", .notWeb), ("https://a/", "rtsp://b/", .notWeb),
    ])
  func redirects(from: String, to: String, refusal: RedirectPolicy.Refusal?) throws {
    let origin = try #require(WebOrigin(address: from))
    for allowsLocal in [false, true] {
      var policy = RedirectPolicy()
      policy.allowsLocal = allowsLocal
      #expect(policy.refusal(from: origin, to: WebOrigin(address: to)) == refusal)
    }
  }

  @Test("A server can't redirect to an address nearer than its own, unless that is allowed")
  func connections() {
    var policy = RedirectPolicy()
    for from in NetworkReach.allCases {
      for to in NetworkReach.allCases {
        #expect(policy.refusal(from: from, to: to) == (to < from ? .local : nil), "\(from) to \(to)")
      }
    }
    policy.allowsLocal = true
    #expect(policy.refusal(from: .everywhere, to: .loopback) == nil)
  }

  @Test("User and password of an address belong to its own server")
  func userInfo() throws {
    let own = try #require(WebOrigin(address: "http://me:secret@a/"))
    let policy = RedirectPolicy()
    #expect(policy.userInfo("me:secret", of: own, for: own) == "me:secret")
    for other in ["https://a/", "http://a:81/", "http://b/"] {
      #expect(policy.userInfo("me:secret", of: own, for: try #require(WebOrigin(address: other))) == nil)
    }
  }

  @Test("The errors say what to do, and a break by them is retried", arguments: RedirectPolicy.Refusal.allCases)
  func errors(refusal: RedirectPolicy.Refusal) {
    let fault = MediaFault(domain: .resource, code: 5, message: "", refusal: refusal)
    let error = MediaErrors.classify(fault, uri: "https://a/b", isRemote: true)
    let number = [RedirectPolicy.Refusal.list: 3008, .elsewhere: 3009]
    #expect(error.number == number[refusal] ?? 2604)
    #expect(!error.remedy.isEmpty)
    // A hot spot redirects every request to its own page until a user has signed in.
    #expect(ErrorRecovery(number: error.number) == (number[refusal] != nil ? .giveUp : .reconnect))
  }
}
