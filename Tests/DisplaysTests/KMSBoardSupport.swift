import Glibc
import InteractionCore
import MainLoop
import PlaybackCore
import ScreenModel

@testable import Displays

/// A display on a loop of its own.
actor Screen {
  nonisolated let executor: GLibExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  private var display: KMSDisplay?

  init() throws { executor = try GLibExecutor(name: "screen") }

  @discardableResult
  func open(_ request: KMSRequest) throws -> (summary: String, target: VideoTarget, notes: [String]) {
    let display = try KMSDisplay.open(on: EventLoop(executor: executor), request: request)
    self.display = display
    return (display.summary, display.target, display.notes)
  }

  func show(_ image: OverlayImage?) { display?.showOverlay(image) }
  func showAll(_ images: [OverlayImage?]) { for image in images { display?.showOverlay(image) } }
  func close() { display?.close() }
  var overlayWork: OverlayWork { display?.overlayWork ?? OverlayWork() }
  var notes: [String] { display?.notes ?? [] }
}

/// A card made to measure through vkms' configfs. Its connectors have screens, each with a CRTC and a primary plane of its own;
/// any of them can show the overlay planes.
struct VirtualDevice {
  let cardPath: String
  private let path: String

  struct Failed: Error {}

  init(name: String, overlays: Int, connectors: Int = 1, writeback: Bool = false) throws {
    path = "/sys/kernel/config/vkms/\(name)"
    let before = Set(Card.paths())
    mkdir(path, 0o755)
    for index in 0..<connectors {
      let (crtc, encoder, connector) = ("crtcs/c\(index)", "encoders/e\(index)", "connectors/n\(index)")
      for folder in [crtc, encoder, connector, "planes/p\(index)"] { mkdir("\(path)/\(folder)", 0o755) }
      writeText("\(path)/\(crtc)/writeback", writeback ? "1" : "0")
      writeText("\(path)/planes/p\(index)/type", "1")
      symlink("\(path)/\(crtc)", "\(path)/planes/p\(index)/possible_crtcs/c")
      symlink("\(path)/\(crtc)", "\(path)/\(encoder)/possible_crtcs/c")
      symlink("\(path)/\(encoder)", "\(path)/\(connector)/possible_encoders/e")
      // The folder outlives the device, with the settings of an earlier test.
      writeText("\(path)/\(connector)/status", "1")
    }
    for index in 0..<overlays {
      let plane = "\(path)/planes/p\(connectors + index)"
      mkdir(plane, 0o755)
      writeText("\(plane)/type", "0")
      for crtc in 0..<connectors { symlink("\(path)/crtcs/c\(crtc)", "\(plane)/possible_crtcs/c\(crtc)") }
    }
    writeText("\(path)/enabled", "1")
    guard let card = Card.paths().first(where: { !before.contains($0) }) else { throw Failed() }
    cardPath = card
  }

  /// The card's number in debugfs.
  var number: Int { Int(cardPath.drop { !$0.isNumber }) ?? -1 }

  func setConnected(_ isConnected: Bool, connector: Int = 0) {
    writeText("\(path)/connectors/n\(connector)/status", isConnected ? "1" : "2")
  }
  func remove() { writeText("\(path)/enabled", "0") }
}

/// The sections of the planes that show something.
func litPlanes(card: Int = 0) -> [String] { planeSections(card: card).filter { !$0.contains("crtc=(null)") } }

/// The planes as debugfs has them, a section each.
func planeSections(card: Int = 0) -> [String] {
  var sections: [String] = []
  for line in debugState(card: card).split(separator: "\n") {
    if line.first != "\t", line.first != " " { sections.append("") }
    sections[sections.count - 1] += "\(line)\n"
  }
  return sections.filter { $0.hasPrefix("plane[") }
}

func planeID(_ section: String) -> UInt32 {
  UInt32(section.drop { $0 != "[" }.dropFirst().prefix { $0 != "]" }) ?? 0
}

func debugState(card: Int = 0) -> String { readText("/sys/kernel/debug/dri/\(card)/state") ?? "" }

/// Asks until there is an answer, for five seconds at most: the kernel needs time for the event.
func eventually<T>(_ ask: () -> T?) async -> T? {
  for _ in 0..<500 {
    if let answer = ask() { return answer }
    try? await Task.sleep(for: .milliseconds(10))
  }
  return nil
}

func readText(_ path: String) -> String? {
  guard let file = fopen(path, "r") else { return nil }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 4096)
  while true {
    let count = fread(&chunk, 1, chunk.count, file)
    if count == 0 { return String(decoding: bytes, as: UTF8.self) }
    bytes += chunk.prefix(count)
  }
}

func writeText(_ path: String, _ text: String) {
  let descriptor = open(path, O_WRONLY)
  guard descriptor >= 0 else { return }
  write(descriptor, text, text.utf8.count)
  close(descriptor)
}

func spawn(_ command: [String], environment: [String] = []) throws -> pid_t {
  var pid = pid_t()
  let arguments = command.map { strdup($0) } + [nil]
  let variables = environment.map { strdup($0) } + [strdup("PATH=/usr/bin:/bin"), nil]
  defer { (arguments + variables).forEach { free($0) } }
  guard posix_spawn(&pid, command[0], nil, nil, arguments, variables) == 0 else { throw VirtualDevice.Failed() }
  return pid
}

func killAndReap(_ pid: pid_t) {
  kill(pid, SIGKILL)
  var status: Int32 = 0
  waitpid(pid, &status, 0)
}
