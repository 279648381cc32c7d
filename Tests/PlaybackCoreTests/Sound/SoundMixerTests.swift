import PlaybackCore
import Testing

private func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }

@Suite("Sound: volume and mute have one owner")
struct SoundMixerTests {
  @Test("The amplitude is the cube of the volume", arguments: [(1, 1), (0.5, 0.125), (0.1, 0.001), (0, 0)])
  func cubic(volume: Double, amplitude: Double) {
    #expect(abs(SoundMixer(volume: volume).amplitude(at: at(0)) - amplitude) < 1e-12)
  }

  @Test("A volume outside 0...1 is clamped", arguments: [(-1.0, 0.0), (7, 1)])
  func clamped(volume: Double, taken: Double) {
    var mixer = SoundMixer(volume: volume)
    #expect(mixer.volume == taken)
    mixer.setVolume(volume, at: at(0))
    #expect(mixer.volume == taken)
    mixer.setVolume(.nan, at: at(0))
    #expect(mixer.volume == taken)
  }

  @Test("A volume change takes 15 ms without a jump")
  func ramp() {
    var mixer = SoundMixer()
    mixer.setVolume(0, at: at(100))
    #expect(mixer.amplitude(at: at(100)) == 1)
    #expect(mixer.amplitude(at: at(115)) == 0)
    var last = 1.0
    for milliseconds in 100...115 {
      let now = mixer.amplitude(at: at(Int64(milliseconds)))
      #expect(now <= last && last - now < 0.2)
      last = now
    }
  }

  @Test("A fade takes its time, and the volume is half way at half of it")
  func fade() {
    var mixer = SoundMixer()
    mixer.setVolume(0.5, over: .seconds(2), at: at(1000))
    #expect(abs(mixer.amplitude(at: at(2000)) - 0.75 * 0.75 * 0.75) < 1e-9)
    #expect(abs(mixer.amplitude(at: at(3000)) - 0.125) < 1e-9)
    #expect(abs(mixer.amplitude(at: at(99_000)) - 0.125) < 1e-9)
  }

  @Test("A new change begins at the volume that the one before has reached")
  func turnedRound() {
    var mixer = SoundMixer()
    mixer.setVolume(0, over: .seconds(1), at: at(0))
    let half = mixer.amplitude(at: at(500))
    mixer.setVolume(1, over: .seconds(1), at: at(500))
    #expect(mixer.amplitude(at: at(500)) == half)
    #expect(mixer.amplitude(at: at(1500)) == 1)
  }

  @Test("Mute keeps the volume; a volume set while muted is heard afterwards")
  func mute() {
    var mixer = SoundMixer(volume: 1, isMuted: true)
    #expect(mixer.amplitude(at: at(0)) == 0)
    mixer.setVolume(0.5, at: at(0))
    #expect(mixer.amplitude(at: at(1000)) == 0)
    #expect(mixer.volume == 0.5)
    mixer.setMuted(false, at: at(1000))
    #expect(abs(mixer.amplitude(at: at(2000)) - 0.125) < 1e-9)
  }
}
