/// The limits at which `vitrine doctor` warns, each with its reason.
public enum DoctorLimits {
  static let megabyte: Int64 = 1_000_000

  /// The player itself takes 100 MB (docs/performance.md), two films of 1080p in software some 100 MB of frames, the
  /// system the rest.
  public static let memory = 400 * megabyte
  /// With less than the player itself takes, the kernel kills it.
  public static let leastMemory = 150 * megabyte
  /// A frame of 1080p has 3 MB; a decoder holds up to 20, two films are open at a seam, and the screen holds 4: 132 MB.
  public static let cma = 132 * megabyte
  /// The frames of one film without a seam.
  public static let leastCMA = 64 * megabyte
  /// A state file needs 4 kB; below this the next log or report fills the disk.
  public static let leastFree = 10 * megabyte
  /// Below this the store keeps no new copies (`[store] free_space`).
  public static let free = 500 * megabyte
  /// In eMMC's tenths of its life: 8 means that 70 to 80 % of the life that its maker promises is used up, 11 that all
  /// is (JESD84-B51, DEVICE_LIFE_TIME_EST).
  public static let lifeUsed = 8
  public static let lifeOver = 11
  /// A Raspberry Pi slows down from 80 degrees on, others near it.
  public static let hot = 80.0
  /// 1 January 2026: an earlier time is wrong, because this program didn't exist then.
  public static let earliestTime: Int64 = 1_767_225_600
}
