import PlaybackCore
import Testing

@testable import MediaPipeline

@Suite("Frames that are given to a compositor a second time")
struct SurfaceOffersTests {
  private static func tag(_ index: UInt32, deck: UInt32 = 1, epoch: UInt8 = 0) -> FrameTag {
    FrameTag(
      deck: DeckID(generation: deck), index: index, streamTime: .zero, epoch: FrameEpoch(rawValue: epoch))
  }
  private static func at(_ milliseconds: Int) -> Instant { Instant(nanoseconds: Int64(milliseconds) * 1_000_000) }

  @Test("Frames of a playing film are never given again, at any rate", arguments: [8, 16, 33, 40])
  func film(apart: Int) {
    var offers = SurfaceOffers()
    for index in 0..<50 {
      let frame = Self.tag(UInt32(index))
      #expect(offers.handedOver(frame, stays: .milliseconds(apart), at: Self.at(index * apart)) == nil)
    }
  }

  @Test("The frame of a seek that comes soon after another frame is given again one and two refreshes after that")
  func seek() {
    var offers = SurfaceOffers()
    #expect(offers.handedOver(Self.tag(0), stays: nil, at: Self.at(100)) == nil)
    #expect(offers.handedOver(Self.tag(1, epoch: 1), stays: nil, at: Self.at(109)) == Self.at(121))
    #expect(offers.gaveAgain(at: Self.at(121)) == Self.at(142))
    #expect(offers.gaveAgain(at: Self.at(142)) == nil)
    // The next frame is the film's.
    #expect(offers.handedOver(Self.tag(2, epoch: 1), stays: nil, at: Self.at(150)) == nil)
    #expect(offers.gaveAgain(at: Self.at(151)) == nil)
  }

  @Test("The frame of a seek one refresh later is given again once; two refreshes later not at all")
  func late() {
    var offers = SurfaceOffers()
    #expect(offers.handedOver(Self.tag(0), stays: nil, at: Self.at(100)) == nil)
    #expect(offers.handedOver(Self.tag(1, epoch: 1), stays: nil, at: Self.at(130)) == Self.at(142))
    #expect(offers.handedOver(Self.tag(2, epoch: 2), stays: nil, at: Self.at(172)) == nil)
  }

  @Test("At a seam no frame is given again; the first frame of an item that interrupts another is")
  func item() {
    var offers = SurfaceOffers()
    #expect(offers.handedOver(Self.tag(0), stays: nil, at: Self.at(100)) == nil)
    #expect(offers.handedOver(Self.tag(0, deck: 2), stays: nil, at: Self.at(116)) == nil)
    #expect(offers.handedOver(Self.tag(0, deck: 3), stays: nil, at: Self.at(120)) == Self.at(137))
  }

  @Test("A picture after a film of 60 frames a second is given again, and so is a frame of a slow animation")
  func picture() {
    var offers = SurfaceOffers()
    #expect(offers.handedOver(Self.tag(0), stays: .milliseconds(16), at: Self.at(100)) == nil)
    #expect(offers.handedOver(Self.tag(0, deck: 2), stays: .seconds(10), at: Self.at(116)) == Self.at(121))
    #expect(offers.gaveAgain(at: Self.at(121)) == Self.at(142))
    #expect(offers.handedOver(Self.tag(0, deck: 3), stays: .milliseconds(20), at: Self.at(20_000)) == nil)
    #expect(offers.handedOver(Self.tag(1, deck: 3), stays: .seconds(1), at: Self.at(20_020)) == Self.at(20_021))
    #expect(offers.handedOver(Self.tag(2, deck: 3), stays: .seconds(1), at: Self.at(21_020)) == nil)
  }

  @Test("The first frame of an output isn't given again")
  func first() {
    var offers = SurfaceOffers()
    #expect(offers.handedOver(Self.tag(0, epoch: 1), stays: nil, at: Self.at(0)) == nil)
    #expect(offers.gaveAgain(at: Self.at(1)) == nil)
  }
}
