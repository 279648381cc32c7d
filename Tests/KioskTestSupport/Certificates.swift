import Foundation

/// Certificates for servers of tests, by openssl.
public enum Certificates {
  /// Makes an authority (`ca.pem`), and a certificate of 127.0.0.1 that it has signed (`cert.pem`, `key.pem`).
  ///
  /// - Parameter days: for which it is valid; negative has expired.
  public static func make(in directory: TemporaryDirectory, days: Int) async throws {
    let script = """
      set -e; cd '\(directory.url.path)'
      openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 10 -subj /CN=test-ca \
        -addext basicConstraints=critical,CA:TRUE
      openssl req -newkey rsa:2048 -nodes -keyout key.pem -out request.pem -subj /CN=127.0.0.1
      printf 'subjectAltName=IP:127.0.0.1\\n' > extensions
      openssl x509 -req -in request.pem -CA ca.pem -CAkey ca.key -CAcreateserial -out cert.pem -days \(days) \
        -extfile extensions
      """
    let made = try await Tool.run("bash", ["-c", script])
    guard made.status == 0 else { throw MediaError(description: made.errors) }
  }
}
