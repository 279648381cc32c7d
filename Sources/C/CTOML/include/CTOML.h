// A C view of toml++, which is C++ and header-only: one call parses a text and visits the whole tree, flat and in
// order, with a position for every key and value. Nothing has to be freed.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma clang assume_nonnull begin

typedef enum vit_toml_kind : int32_t {
    VIT_TOML_STRING,
    VIT_TOML_INTEGER,
    VIT_TOML_FLOAT,
    VIT_TOML_BOOLEAN,
    VIT_TOML_OFFSET_DATE_TIME,
    VIT_TOML_LOCAL_DATE_TIME,
    VIT_TOML_LOCAL_DATE,
    VIT_TOML_LOCAL_TIME,
    // A container begins; its members follow up to the matching VIT_TOML_END.
    VIT_TOML_ARRAY,
    VIT_TOML_TABLE,
    VIT_TOML_END,
    // The text is not TOML: `text` says why, `line` and `column` say where. It is the only entry then.
    VIT_TOML_ERROR,
} vit_toml_kind;

// All pointers are valid during the visit only. Lines and columns count from 1, columns in code points; 0 is unknown.
typedef struct {
    vit_toml_kind kind;
    // The key, if the entry is a member of a table. Not terminated; may hold any character that TOML allows.
    const char *_Nullable key;
    size_t key_length;
    uint32_t key_line;
    uint32_t key_column;
    uint32_t line;
    uint32_t column;
    // A string, a date or time in RFC 3339 form, or the message of an error. Not terminated.
    const char *_Nullable text;
    size_t text_length;
    int64_t integer;
    double number;
    bool boolean;
} vit_toml_entry;

typedef void (*vit_toml_visitor)(void *_Nullable context, const vit_toml_entry *entry);

// Parses `length` bytes at `text` and calls `visit` for every entry of the tree, the root table first.
//
// Any bytes are safe but for one thing: toml++ limits the nesting of values (here to 32), not the number of segments of
// a dotted key, and it recurses over both. The caller bounds the segments.
void vit_toml_parse(const char *text, size_t length, vit_toml_visitor visit, void *_Nullable context);

#pragma clang assume_nonnull end

#ifdef __cplusplus
}
#endif
