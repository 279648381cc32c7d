// This module's interface uses paths and files: a program that imports it needs their types too.
@_exported public import FileModel
