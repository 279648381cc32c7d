import Foundation

/// Makes certificates for tests' servers, with openssl.
public enum Certificates {
  /// Makes an authority (`ca.pem`), and a certificate of 127.0.0.1 that it has signed (`cert.pem`, `key.pem`).
  ///
  /// - Parameters:
  ///   - days: the days for which the certificate is valid; with a negative number it has expired.
  ///   - isOfFuture: whether it becomes valid only in 2090.
  public static func make(in directory: TemporaryDirectory, days: Int, isOfFuture: Bool = false) async throws {
    let isOfThePast = days < 0
    // Newer versions of openssl take no negative number of days.
    let dates =
      isOfFuture
      ? "-startdate 20900101000000Z -enddate 20910101000000Z"
      : isOfThePast ? "-startdate 20200101000000Z -enddate 20200201000000Z" : "-days \(days)"
    let script = """
      set -e; cd '\(directory.url.path)'
      openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 10 -subj /CN=test-ca \
        -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign,cRLSign
      openssl req -newkey rsa:2048 -nodes -keyout key.pem -out request.pem -subj /CN=127.0.0.1
      # Python 3.13 and others that are strict take no certificate that doesn't say whose it is.
      printf 'subjectAltName=IP:127.0.0.1\\nauthorityKeyIdentifier=keyid,issuer\\nsubjectKeyIdentifier=hash\\n' > extensions
      if [ \(isOfFuture || isOfThePast) = true ]; then
        : > index; echo 01 > serial
        printf '[ca]\\ndefault_ca=d\\n[d]\\ndatabase=index\\nserial=serial\\nnew_certs_dir=.\\ndefault_md=sha256\\n' > ca.conf
        printf 'policy=p\\n[p]\\ncommonName=supplied\\n' >> ca.conf
        openssl ca -batch -config ca.conf -in request.pem -cert ca.pem -keyfile ca.key -out cert.pem -notext \
          -extfile extensions \(dates)
      else
        openssl x509 -req -in request.pem -CA ca.pem -CAkey ca.key -CAcreateserial -out cert.pem -extfile extensions \(dates)
      fi
      """
    let made = try await Tool.run("bash", ["-c", script])
    guard made.status == 0 else { throw MediaError(description: made.errors) }
  }
}
