internal import Displays
internal import InteractionCore
internal import PlaybackCore
internal import VitrinePlayback

// How loud it is: what visitors change, and how it comes back to what the configuration says.

extension Kiosk {
  func changeVolume(_ change: (inout VolumeControl) -> Void) {
    guard options.sound.isEnabled else { return show(message: "There is no sound") }
    change(&input.volume)
    useVolume()
    show(message: input.volume.text)
  }

  func dragVolume(_ action: GestureAction) {
    guard options.sound.isEnabled else {
      if case .dragBegan = action { show(message: "There is no sound") }
      return
    }
    guard let screen = display?.target.size, input.volume.handle(action, screen: screen) else { return }
    useVolume()
    show(message: input.volume.text)
  }

  /// The next visitor, and the loop, are heard as the configuration has it, whatever the last one has left.
  func resetVolume() {
    input.volume = VolumeControl(volume: options.sound.volume, isMuted: options.sound.isMuted)
    useVolume()
  }

  private func useVolume() {
    engine?.setVolume(input.volume.volume)
    engine?.setMuted(input.volume.isMuted)
  }
}
