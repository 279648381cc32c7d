internal import CGStreamerShims
internal import CElements

// Features of GStreamer that this program leaves out.
extension GStreamerLibrary {
  /// Removes decoders from all pipelines of this process: those of drawings, chip tunes and MIDI.
  ///
  /// Pictures are decoded elsewhere (`PictureDecoding`), and one that a film contains, behind an ID3 tag or in a
  /// container, couldn't be cancelled. Chip tunes and MIDI are played by emulators that no screen needs; libgme ends
  /// the process over a file of 20 bytes.
  public static func leaveOutDecoders() {
    avoid(decoders: ["rsvgdec", "gdkpixbufdec"])
    avoid(decoders: ["gmedec", "siddec", "modplug", "openmptdec", "fluiddec", "wildmididec", "midiparse"])
  }

  /// Stops all pipelines of this process from choosing sinks themselves: playbin would compare all decoders with all
  /// sinks for each item; see docs/decisions/0172-start-of-an-item.md. Only for programs whose pipelines are all the
  /// player's own, which are given their sinks.
  public static func leaveOutSinks() { vit_leave_out_sinks() }

  /// Removes elements that open other addresses than items have (devices, discs, other protocols) from this process's
  /// registry. Only for programs whose pipelines are all the player's own.
  public static func leaveOutSources() { vit_leave_out_sources() }
}
