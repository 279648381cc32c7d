// A display's interface uses the screen model: an importer of this module needs both.
@_exported public import ScreenModel
