// Speaks toml-test's protocol with the reader that configurations go through: TOML on standard input; tagged JSON on
// standard output and exit code 0, or a diagnostic on standard error and exit code 1.

import JSONText
import PlaylistConfig

/// Everything there is to read; one byte more than the reader takes is enough for it to refuse the text.
let text = StandardInput.read(limit: TOMLParser.maximumLength + 1)
do throws(TOMLSyntaxError) {
  print(try TOMLParser.parse(text).taggedJSON.pretty)
} catch {
  StandardInput.fail(Diagnostic(path: "standard input", position: error.position, message: error.message).description)
}
