/// The version of the program.
public enum Version {
  public static let text = "0.1.0"
}
