import ArgumentParser
import MediaPipeline
import PlaybackCore

struct Sounds: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the sound devices that --audio-device can name.")

  func run() throws {
    let devices: [SoundDeviceInfo]
    do {
      devices = try SoundDevices.list()
    } catch {
      StandardStreams.print("vitrine: error: \(error.line)")
      throw ExitCode.failure
    }
    guard !devices.isEmpty else { return StandardStreams.print("No sound server answers and there is no sound card.") }
    let width = devices.map { $0.device.description.count }.max() ?? 0
    for found in devices {
      let name = found.device.description
      StandardStreams.print("\(name)\(String(repeating: " ", count: width - name.count))  \(found.title)")
    }
  }
}
