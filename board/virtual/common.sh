# Sourced by build-kernel, run and selftest: where the virtual board's files are kept.
# shellcheck shell=bash

default_cache_directory() {
    printf '%s\n' "${XDG_CACHE_HOME:-$HOME/.cache}/vitrine/virtual-board"
}

# The name of a cached kernel contains a checksum of its sources, so that a changed configuration never gets an old kernel.
kernel_path_in_cache() {
    local cache=$1 directory key
    directory=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
    key=$(cat "$directory/kernel.config" "$directory/speed.patch" | sha256sum | cut -c1-16)
    printf '%s\n' "$cache/kernel-$key/linux"
}

fail() {
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
    exit 1
}
