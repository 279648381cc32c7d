// Configurations, lists and sticks are read through what this declares: whoever uses them has paths and files too.
@_exported public import FileModel
