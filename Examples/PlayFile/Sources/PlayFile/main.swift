// Plays a file into memory, and prints its time once a second of media: swift run PlayFile FILE
import Foundation
import VitrinePlayback

guard CommandLine.arguments.count == 2 else {
  print("usage: PlayFile FILE")
  exit(64)
}
do {
  // A window of your own goes here instead: .waylandSurface(display:surface:size:)
  let player = try Player(
    configuration: PlayerConfiguration(
      items: [MediaItem(path: CommandLine.arguments[1])],
      output: .memory(size: PixelSize(width: 1280, height: 720))))
  let events = player.events()
  let times = player.periodicTimes(every: .seconds(1))
  let clock = Task { for await _ in times { print(player.status.timeText) } }
  await player.play()

  var exitCode: Int32 = 0
  loop: for await event in events {
    switch event {
    case .itemFailed(_, let error), .failed(let error):
      print(error.line)
      exitCode = 65
    case .endOfQueue: break loop
    default: break
    }
  }
  await player.stop()
  await clock.value
  exit(exitCode)
} catch {
  print(error.line)
  exit(69)
}
