internal import CGStreamerShims
internal import CHTTPSource

// What GStreamer has and this program does without.
extension GStreamerLibrary {
  /// From now on no pipeline of this process decodes drawings, chip tunes or MIDI.
  ///
  /// Pictures are decoded elsewhere (`PictureDecoding`): what a film calls one, behind an ID3 tag or in a container, nobody can call off.
  /// Chip tunes and MIDI are played by emulators that nobody on a screen needs; libgme ends the process over a file of 20 bytes.
  public static func leaveOutDecoders() {
    avoid(decoders: ["rsvgdec", "gdkpixbufdec"])
    avoid(decoders: ["gmedec", "siddec", "modplug", "openmptdec", "fluiddec", "wildmididec", "midiparse"])
  }

  /// From now on no pipeline of this process chooses a sink by itself: for programs that have no other pipelines than ours, which are given
  /// theirs. playbin compares all decoders with all sinks for that, with each item anew; see docs/decisions/0172-start-of-an-item.md.
  public static func leaveOutSinks() { vit_leave_out_sinks() }

  /// Takes elements that open other addresses than items have (devices, discs, other protocols) out of the registry of this process. For
  /// programs that have no other pipelines than ours.
  public static func leaveOutSources() { vit_leave_out_sources() }
}
