internal import CPictures
internal import PictureFiles
internal import PlaybackCore

/// Decodes JPEG XL with libjxl: Debian 12 has no gdk-pixbuf decoder for it.
///
/// Of an animation the first frame is decoded. Pictures of any depth come out with 8 bits, upright. Runs on the
/// caller's thread.
enum JXLDecoder {
  /// Bytes that the decoder gets between two checks for cancellation.
  private static let portion = 64 * 1024
  /// Channels besides the colours: transparency, depth, a black for print. Each costs the decoder four bytes a pixel.
  private static let mostExtraChannels = 4

  static func picture(_ bytes: [UInt8], _ request: PictureRequest) throws(PictureProblem) -> Bitmap {
    var why: UnsafePointer<CChar>?
    guard let library = vit_jxl_load(&why)?.pointee else {
      throw .noDecoder(.jxl, detail: why.map { String(cString: $0) } ?? "")
    }
    guard let decoder = library.create(nil) else { throw .damaged(.jxl, detail: "no memory for it") }
    defer { library.destroy(decoder) }
    let events = JXL_DEC_BASIC_INFO.rawValue | JXL_DEC_FULL_IMAGE.rawValue
    _ = library.subscribe_events(decoder, Int32(bitPattern: events))
    let outcome = bytes.withUnsafeBufferPointer { input in
      Result { () throws(PictureProblem) in try decode(input, decoder, library, request) }
    }
    return try outcome.get()
  }

  private static func decode(
    _ input: UnsafeBufferPointer<UInt8>, _ decoder: OpaquePointer, _ library: vit_jxl, _ request: PictureRequest
  ) throws(PictureProblem) -> Bitmap {
    var format = JxlPixelFormat(num_channels: 4, data_type: JXL_TYPE_UINT8, endianness: JXL_NATIVE_ENDIAN, align: 0)
    var size = PixelSize(width: 0, height: 0)
    var target: (bitmap: Bitmap, pixels: UnsafeMutableBufferPointer<UInt8>)?
    var given = 0
    while true {
      switch library.process_input(decoder) {
      case JXL_DEC_NEED_MORE_INPUT:
        if request.isCancelled() { throw .cancelled }
        given -= library.release_input(decoder)
        let end = min(given + portion, input.count)
        guard let start = input.baseAddress, given < end,
          library.set_input(decoder, start + given, end - given) == JXL_DEC_SUCCESS
        else { throw .damaged(.jxl, detail: "its end is missing") }
        given = end
        if end == input.count { library.close_input(decoder) }
      case JXL_DEC_BASIC_INFO:
        var info = JxlBasicInfo()
        guard library.get_basic_info(decoder, &info) == JXL_DEC_SUCCESS else { throw .damaged(.jxl, detail: "") }
        size = PixelSize(width: Int(info.xsize), height: Int(info.ysize))
        // libjxl can't decode at a smaller size: the request is only asked whether this size is allowed.
        guard PictureLimits.allow(size), size.width * size.height <= PictureLimits.pixelsOfJXL,
          request.size(size) != nil
        else { throw .tooManyPixels(size) }
        guard info.num_extra_channels <= mostExtraChannels else {
          throw .damaged(.jxl, detail: "it has \(info.num_extra_channels) channels beside its colours")
        }
      case JXL_DEC_NEED_IMAGE_OUT_BUFFER:
        var count = 0
        guard library.image_out_buffer_size(decoder, &format, &count) == JXL_DEC_SUCCESS,
          count == size.width * size.height * 4, target == nil
        else { throw .damaged(.jxl, detail: "") }
        guard let made = Bitmap.empty(size) else { throw .damaged(.jxl, detail: "no memory for it") }
        target = made
        guard library.set_image_out_buffer(decoder, &format, made.pixels.baseAddress, count) == JXL_DEC_SUCCESS else {
          throw .damaged(.jxl, detail: "")
        }
      case JXL_DEC_FULL_IMAGE:
        guard let target else { throw .damaged(.jxl, detail: "") }
        return target.bitmap
      default: throw .damaged(.jxl, detail: "its decoder doesn't understand it")
      }
    }
  }
}
