import CGStreamer
import CElements
import FileSystem
import Glibc
import MediaPipeline

/// Plays bytes as a QuickTime movie up to its first frame. The player may open no file but the movie itself, whatever
/// it names: beside it lies a film that plays, `secret.mp4`, which the seeds name.
func playMovie(_ bytes: [UInt8]) {
  guard let folder = movieFolder else { return }
  let path = folder + "/movie.mov"
  guard write(bytes, to: path), let own = g_filename_to_uri(path, nil, nil) else { return }
  defer { g_free(own) }
  guard let player = gst_element_factory_make("playbin", nil) else { return }
  gst_object_ref_sink(player)
  vit_hold_sources(player, own, VIT_PARTS_NONE, 0)
  for sink in ["video-sink", "audio-sink", "text-sink"] {
    guard let element = gst_element_factory_make("fakesink", nil) else { continue }
    set(player, sink) {
      g_value_init($0, gst_element_get_type()); g_value_set_object($0, element)
    }
  }
  set(player, "uri") {
    g_value_init($0, GType(16 << 2)); g_value_set_string($0, own)
  }
  defer {
    gst_element_set_state(player, GST_STATE_NULL)
    gst_object_unref(player)
  }
  gst_element_set_state(player, GST_STATE_PAUSED)
  // Half a second is long for four kilobytes; a movie that takes longer has opened no other file either.
  guard let bus = gst_element_get_bus(player) else { return }
  defer { gst_object_unref(bus) }
  let awaited = GstMessageType(GST_MESSAGE_ERROR.rawValue | GST_MESSAGE_ASYNC_DONE.rawValue)
  guard let end = gst_bus_timed_pop_filtered(bus, 500_000_000, awaited) else { return }
  gst_mini_object_unref(UnsafeMutableRawPointer(end).assumingMemoryBound(to: GstMiniObject.self))
  var value = GValue()
  g_value_init(&value, GType(16 << 2))
  g_object_get_property(UnsafeMutableRawPointer(player).assumingMemoryBound(to: GObject.self), "current-uri", &value)
  defer { g_value_unset(&value) }
  let current = g_value_get_string(&value).map { String(cString: $0) }
  precondition(current == nil || current == String(cString: own), "another file was opened")
}

/// G_TYPE_STRING is `16 << 2`, a macro that Swift doesn't import.
private func set(
  _ element: UnsafeMutablePointer<GstElement>, _ name: String, _ fill: (UnsafeMutablePointer<GValue>) -> Void
) {
  var value = GValue()
  fill(&value)
  g_object_set_property(UnsafeMutableRawPointer(element).assumingMemoryBound(to: GObject.self), name, &value)
  g_value_unset(&value)
}

private func write(_ bytes: [UInt8], to path: String) -> Bool {
  guard let file = fopen(path, "w") else { return false }
  defer { fclose(file) }
  return bytes.isEmpty || fwrite(bytes, 1, bytes.count, file) == bytes.count
}

/// A folder with the film that must stay closed; nil where it can't be made.
private let movieFolder: String? = {
  guard let scratch = getenv("VITRINE_FUZZ_SCRATCH"), let film = getenv("VITRINE_FUZZ_FILM") else { return nil }
  let folder = String(cString: scratch)
  mkdir(folder, 0o700)
  unlink(folder + "/secret.mp4")
  guard symlink(String(cString: film), folder + "/secret.mp4") == 0 else { return nil }
  do { try GStreamerLibrary.start() } catch { return nil }
  // Leaves out the sources that the player leaves out.
  GStreamerLibrary.leaveOutSources()
  GStreamerLibrary.leaveOutDecoders()
  return folder
}()
