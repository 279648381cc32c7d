/// The version of the program.
public enum Version {
  public static let text = "0.2.0"
}
