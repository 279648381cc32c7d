import Testing

@testable import PlaybackCore

@Suite("Credentials sent to a server")
struct ServerAccessTests {
  /// The Authorization header for an address, with three accounts configured.
  private func header(_ address: String, userInfo: String? = nil) throws -> String? {
    var access = ServerAccess()
    access.accounts = [
      .init(
        try #require(WebOrigin(.https, server: "A.example")), user: "me", passwordFile: "password", tokenFile: "token"),
      .init(try #require(WebOrigin(.http, server: "b.example:8080")), user: "me", passwordFile: "password"),
      .init(try #require(WebOrigin(.https, server: "c.example")), tokenFile: "none"),
    ]
    return access.authorization(for: try #require(WebOrigin(address: address)), userInfo: userInfo) {
      $0 == "none" ? nil : "s3cret"
    }
  }

  @Test("A secret is sent to its server, and a token comes before a password")
  func authorization() throws {
    #expect(try header("https://a.EXAMPLE/x") == "Bearer s3cret")
    #expect(try header("https://a.example.:443/x") == "Bearer s3cret")
    #expect(try header("http://b.example:8080/", userInfo: "other:x") == "Basic bWU6czNjcmV0")
    #expect(try header("https://c.example") == nil)
    #expect(try header("https://c.example", userInfo: "me:secret") == "Basic bWU6c2VjcmV0")
  }

  @Test(
    "A secret isn't sent to another port, scheme or name of the same host",
    arguments: [
      "http://a.example/x", "http://a.example:443/x", "https://a.example:8443/x", "https://x.a.example/x",
      "https://a.example.evil/x", "http://b.example/", "https://b.example:8080/", "http://b.example:80/",
      "https://evil/?https://a.example", "https://a.example@evil/x",
    ])
  func otherOrigins(address: String) throws {
    #expect(try header(address) == nil)
  }

  @Test("Base 64", arguments: [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")])
  func base64(text: String, encoded: String) {
    #expect(ServerAccess.base64(Array(text.utf8)) == encoded)
  }
}
