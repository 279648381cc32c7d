/// Errors of sound. None of them stops the picture, and each is followed by another try.
public enum SoundErrors {
  /// The numbers of all errors of sound.
  public static let numbers = 5301...5303

  /// - Parameter device: the name in the settings.
  public static func failed(_ device: String, detail: String) -> VitrineError {
    VitrineError(
      5301, subject: device, message: "the sound device failed",
      remedy: "check the device; the picture goes on and sound is tried again", detail: detail)
  }

  public static func cannotOpen(_ device: String, detail: String) -> VitrineError {
    VitrineError(
      5302, subject: device, message: "the sound device can't be opened",
      remedy: "'vitrine sounds' lists the devices; the picture goes on and sound is tried again", detail: detail)
  }

  /// - Parameter connector: kernel name, such as HDMI-A-1; empty for a picture that is on no connector.
  public static func noDevice(ofConnector connector: String) -> VitrineError {
    VitrineError(
      5303, subject: connector.isEmpty ? "sound device" : connector,
      message: connector.isEmpty
        ? "the picture is on no connector of a graphics card, so sound can't follow it"
        : "no sound device of this connector was found",
      remedy: "name the device instead, such as alsa:hdmi:CARD=vc4hdmi0,DEV=0 ('vitrine sounds' lists them)")
  }
}
