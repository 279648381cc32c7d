// Whoever opens a display has what it draws on.
@_exported public import ScreenModel
