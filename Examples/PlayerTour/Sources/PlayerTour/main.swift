// Checks what the player promises of a file or a stream, with the library's public names alone:
// swift run PlayerTour ADDRESS...
import Foundation
import VitrinePlayback

let addresses = CommandLine.arguments.dropFirst()
guard !addresses.isEmpty else {
  print("usage: PlayerTour ADDRESS...\n\nAn ADDRESS is a path or a URI of something of at least four seconds.")
  exit(64)
}
var failures = 0
for address in addresses {
  let isAddress = address.contains("://")
  let item = isAddress ? URL(string: address).map { MediaItem(url: $0) } : MediaItem(path: address)
  guard let item else {
    print("\(address): not an address")
    exit(64)
  }
  let tour = Tour(item)
  for station in Tour.stations {
    do {
      try await station.visit(tour)
      print("ok      \(station.name)  \(address)")
    } catch {
      failures += 1
      print("FAILED  \(station.name)  \(address): \(error)")
    }
  }
}
exit(failures == 0 ? 0 : 65)
