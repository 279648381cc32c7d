internal import CGStreamerShims
internal import CHTTPSource

// What GStreamer has and this program does without.
extension GStreamerLibrary {
  /// From now on no pipeline of this process decodes a drawing: pictures are decoded elsewhere (`PictureDecoding`), and what a film
  /// calls one, behind an ID3 tag or in a container, is a picture that nobody can call off.
  public static func leaveOutDrawings() { avoid(decoders: ["rsvgdec", "gdkpixbufdec"]) }

  /// From now on no pipeline of this process chooses a sink by itself: for programs that have no other pipelines than ours, which are given
  /// theirs. playbin compares all decoders with all sinks for that, with each item anew; see docs/decisions/0172-start-of-an-item.md.
  public static func leaveOutSinks() { vit_leave_out_sinks() }

  /// Takes elements that open other addresses than items have (devices, discs, other protocols) out of the registry of this process. For
  /// programs that have no other pipelines than ours.
  public static func leaveOutSources() { vit_leave_out_sources() }
}
