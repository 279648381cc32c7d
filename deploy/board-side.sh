# shellcheck shell=sh
# The part of push and rollback that runs on the board, by its plain sh. Prints one line.
#
# Arguments: the folder of the configuration, the folder of configuration.json, the player, seconds to wait, push|rollback, the name of the file in the folder,
# where it was copied to, its SHA-256 sum.
set -eu

folder=$1 runtime=$2 player=$3 wait_seconds=$4 action=$5 name=$6 copy=$7 sum=$8
target=$folder/$name
# What was there before. `.absent` says that nothing was.
previous=$folder/.previous/$(basename "$name")
scratch=''
trap 'rm -rf "$copy" ${scratch:+"$scratch"}' EXIT

die() {
    printf '%s\n' "$*"
    exit 1
}

# On the disk before it is said to be there.
place() { mv "$1" "$2" && sync "$2" "$(dirname "$2")"; }

keep_previous() {
    mkdir -p "$folder/.previous"
    if [ -e "$target" ]; then
        cp -p "$target" "$previous.new" && place "$previous.new" "$previous" && rm -f "$previous.absent"
    else
        rm -f "$previous"
        : > "$previous.absent"
    fi
}

check_together() {
    scratch=$(mktemp -d)
    [ ! -e "$folder/vitrine.toml" ] || cp "$folder/vitrine.toml" "$scratch/"
    mkdir "$scratch/conf.d"
    [ ! -d "$folder/conf.d" ] || cp "$folder"/conf.d/*.toml "$scratch/conf.d/" 2> /dev/null || true
    cp "$copy" "$scratch/$name"
    errors=$("$player" check "$scratch" 2>&1) && return 0
    die "refused, nothing was changed: $(printf '%s\n' "$errors" | grep -v ': warning: ' | head -n 1 | sed "s|$scratch/||")"
}

# The value of a key of a JSON object that has one a line.
value_of() { sed -n "s/^  \"$1\": \"\{0,1\}\(.*[^\",]\)\"\{0,1\},\{0,1\}\$/\1/p" | head -n 1; }

state_file=$runtime/configuration.json

await_word() {
    set_name=$folder
    [ "$folder" != /etc/vitrine ] || set_name=/etc/vitrine/vitrine.toml
    wanted=$("$player" check --json "$set_name" 2> /dev/null | value_of fingerprint || true)
    waited=0
    while [ "$waited" -lt "$((wait_seconds * 2))" ]; do
        if [ -r "$state_file" ] && [ "$(value_of files < "$state_file")" = "$wanted" ]; then
            reason=$(value_of reason < "$state_file")
            case $(value_of state < "$state_file") in
                confirmed) printf 'confirmed\n'; exit 0 ;;
                refused) die "refused: $reason" ;;
                rolled-back) die "rolled back: $reason" ;;
            esac
        fi
        sleep 0.5
        waited=$((waited + 1))
    done
    [ -r "$state_file" ] || die "in place; the player doesn't run, or tells nothing in $state_file"
    die "in place, and not confirmed within $wait_seconds s (now: $(value_of state < "$state_file"))"
}

case $action in
    push)
        [ "$(sha256sum < "$copy" | cut -d ' ' -f 1)" = "$sum" ] || die "the copy is damaged, nothing was changed"
        check_together
        keep_previous
        mkdir -p "$(dirname "$target")"
        chmod 644 "$copy"
        sync "$copy"
        place "$copy" "$target"
        ;;
    rollback)
        if [ -e "$previous" ]; then
            cp -p "$previous" "$folder/.vitrine-rollback"
            keep_previous
            sync "$folder/.vitrine-rollback"
            place "$folder/.vitrine-rollback" "$target"
        elif [ -e "$previous.absent" ]; then
            keep_previous
            rm -f "$target" "$previous.absent"
            sync "$(dirname "$target")"
        else
            die "there is nothing to go back to"
        fi
        ;;
esac
await_word
