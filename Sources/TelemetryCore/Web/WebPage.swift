/// The page: four files that are part of the program. They say nothing of the board; that they ask for.
enum WebPage {
  static func answer(_ path: String) -> WebAnswer? {
    switch path {
    case "/": WebAnswer(200, "text/html; charset=utf-8", PackageResources.page_html)
    case "/page.css": WebAnswer(200, "text/css; charset=utf-8", PackageResources.page_css)
    case "/page.js": WebAnswer(200, "text/javascript; charset=utf-8", PackageResources.page_js)
    case "/icon.svg": WebAnswer(200, "image/svg+xml", PackageResources.icon_svg)
    default: nil
    }
  }
}
