// Plays a file or an address in a window of GTK 4, on Wayland: swift run PlayInWindow ADDRESS
import CGtk
import Foundation
import VitrinePlayback

guard CommandLine.arguments.count == 2 else {
  print("usage: PlayInWindow ADDRESS")
  exit(64)
}
let address = CommandLine.arguments[1]
let url = address.contains("://") ? URL(string: address) : URL(filePath: address)
guard let url, gtk_init_check() != 0, let loop = g_main_loop_new(nil, 0) else {
  print("no address, or no display")
  exit(69)
}
let window = FilmWindow(plain_window("Film", 640, 360), playing: MediaItem(url: url), loop: loop)
window.present()
g_main_loop_run(loop)
exit(window.exitCode)
