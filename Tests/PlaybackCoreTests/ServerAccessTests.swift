import Testing

@testable import PlaybackCore

@Suite("Who we are for a server")
struct ServerAccessTests {
  @Test("A secret goes to its server, by name or by name and port, and a token before a password")
  func authorization() {
    var access = ServerAccess()
    access.accounts = [
      .init(host: "A.example", user: "me", passwordFile: "password", tokenFile: "token"),
      .init(host: "b.example:8080", user: "me", passwordFile: "password"),
      .init(host: "c.example", tokenFile: "none"),
    ]
    func header(_ host: String, _ port: Int? = nil, _ userInfo: String? = nil) -> String? {
      access.authorization(host: host, port: port, userInfo: userInfo) { $0 == "none" ? nil : "s3cret" }
    }
    #expect(header("a.EXAMPLE", 443) == "Bearer s3cret")
    #expect(header("b.example", 8080, "other:x") == "Basic bWU6czNjcmV0")
    #expect(header("b.example") == nil)
    #expect(header("c.example") == nil)
    #expect(header("c.example", nil, "me:secret") == "Basic bWU6c2VjcmV0")
    #expect(header("x.a.example") == nil)
  }

  @Test("Base 64", arguments: [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")])
  func base64(text: String, encoded: String) {
    #expect(ServerAccess.base64(Array(text.utf8)) == encoded)
  }
}
