import Glibc

/// The project's parsers, each with a function that checks its promises on arbitrary bytes. A fault is a trap, a leak,
/// a hang or a broken promise. To add a parser, add a line here and a folder of small seeds with its name in
/// Tests/Fuzz/corpus.
private let parsers: [(name: String, read: @Sendable ([UInt8]) -> Void)] = [
  ("config", { readConfigurationAndLists($0) }),
  ("lists", { readLists($0) }),
  ("state", { readStateFiles($0) }),
  ("survival", { readSurvivalFiles($0) }),
  ("store-index", { readStoreIndex($0) }),
  ("store-response", { readStoreResponse($0) }),
  ("subtitles", { readSubtitles($0) }),
  ("dash", { readManifest($0) }),
  ("served", { readServed($0) }),
  ("pictures", { readPicture($0) }),
  ("pictures-decoded", { decodePicture($0) }),
  ("stream-length", { readStreamLength($0) }),
  ("mp4", { readMP4($0) }),
  ("movies", { playMovie($0) }),
  ("h264", { readH264($0) }),
  ("edid", { readEDID($0) }),
  ("stick", { readStick($0) }),
  ("stick-copy", { copyStick($0) }),
  ("control", { readControl($0) }), ("datagrams", { readDatagram($0) }),
  ("projector", { readProjector($0) }), ("serial", { readSerial($0) }),
  ("plays", { readPlays($0) }),
  ("broker", { readBrokerCommand($0) }),
  ("web", { readWeb($0) }),
  ("warnings", { readWarnings($0) }),
]

/// libFuzzer's driver. Its own main function can't be linked beside Swift's.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

@main
enum Fuzzer {
  static func main() {
    if CommandLine.arguments.dropFirst().first == PictureProcesses.argument { PictureProcesses.serve() }
    guard chosen != nil else {
      print("fuzzer: VITRINE_FUZZ_PARSER names none of: \(parsers.map(\.name).joined(separator: " "))")
      exit(64)
    }
    var count = CommandLine.argc
    var arguments = CommandLine.unsafeArgv
    exit(runDriver(&count, &arguments) { fuzzOneInput($0, $1) })
  }
}

private let chosen: (@Sendable ([UInt8]) -> Void)? = getenv("VITRINE_FUZZ_PARSER").flatMap { name in
  let name = String(cString: name)
  return parsers.first { $0.name == name }?.read
}

private let isLeaking = getenv("VITRINE_FUZZ_LEAK") != nil

/// libFuzzer's entry point: runs the chosen parser on the bytes it made up.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  if isLeaking { leak() }
  chosen?(bytes)
  return 0
}

/// Leaks memory on purpose, to show that the check for leaks works. `realpath` is opaque to the compiler, which would
/// optimise an unused `malloc` away.
@inline(never)
private func leak() { _ = realpath("/", nil) }
