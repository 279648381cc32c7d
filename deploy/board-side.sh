# shellcheck shell=sh
# The part of push and rollback that runs on the board, by its plain sh. boards.sh sends it behind a function `payload`, which
# prints the file that is pushed, and before a call of `main`: of a script that was cut on its way nothing is run.
#
# Arguments: the folder of the configuration, the folder of configuration.json, the player, seconds to wait,
# push|rollback|list, the name of the file in the folder, its SHA-256 sum, the generation to go back to (or -).
#
# Prints one line, which says what is there now; `list` prints one for each generation that is kept.
set -eu
# Whoever comes by ssh may have a stricter one, and the player is another user.
umask 022

# How many confirmed generations of a file are kept: a week of working days, and small.
generations_kept=5
# A service that fell over is back by then; without a player there is nobody to wait for.
player_grace=15
# `vitrine check` takes well under a second; on a dead network folder it would hang.
check_limit=60

folder=$1 runtime=$2 player=$3 wait_seconds=$4 action=$5 name=$6 sum=$7 wanted_generation=$8
target=$folder/$name
state_file=$runtime/configuration.json
# One file a generation, called by its number; N.absent says that there was no file.
generations=$folder/.generations/$(basename "$name")
copy='' scratch=''
trap 'rm -rf ${copy:+"$copy"} ${scratch:+"$scratch"}' EXIT

die() {
    printf '%s\n' "$*"
    exit 1
}

sum_of() {
    if [ -e "$1" ]; then sha256sum < "$1" | cut -d ' ' -f 1; else printf 'absent\n'; fi
}

# MARK: Whose the folder is

# Whether this user or root alone decides what a name leads to: in a folder that others may write, a link may stand under any name
# that is written here, and leads to any file of this user's. Of a sticky folder (/tmp) nobody takes away what is another's.
is_ours() {
    case $(stat -c '%u' -- "$1" 2> /dev/null || true) in 0 | "$me") ;; *) return 1 ;; esac
    [ -L "$1" ] || [ -z "$(find "$1" -maxdepth 0 -perm /022 ! -perm -1000 2> /dev/null || echo unknown)" ]
}

# Every folder on the way to a path, as far as there is one.
check_way() {
    step=$1
    while :; do
        if [ -e "$step" ] || [ -L "$step" ]; then
            is_ours "$step" || die_open "$step"
        fi
        [ "$step" != / ] || return 0
        step=$(dirname "$step")
    done
}

die_open() {
    die "nothing was changed: others than $(id -un) may change $1, and could lead this to other files by a link;" \
        "on the board: chown $(id -un) $1; chmod go-w $1"
}

# Nothing is read or written before it is certain that it is in the folder, and that nobody else can change that. A folder that was
# open to others once may have kept what they have put there.
check_ours() {
    me=$(id -u)
    check_way "$folder"
    check_way "$(readlink -m -- "$folder")"
    for inner in "$folder" "$folder/conf.d" "$folder/.generations" "$generations"; do
        [ -e "$inner" ] || [ -L "$inner" ] || continue
        [ "$inner" = "$folder" ] || [ ! -L "$inner" ] || die "nothing was changed: $inner is a link; it has to be a folder"
        [ -d "$inner" ] || die "nothing was changed: $inner isn't a folder"
        is_ours "$inner" || die_open "$inner"
        [ -z "$(find "$inner/" -maxdepth 0 -perm /022)" ] || die_open "$inner"
        foreign=$(find "$inner/" -mindepth 1 -maxdepth 1 ! -type f ! -type d ! -uid "$me" ! -uid 0 | head -n 1)
        [ -z "$foreign" ] || die "nothing was changed: $foreign isn't a file, and another user has made it; look at it and remove it"
    done
    if [ -e "$target" ] && [ ! -f "$target" ]; then die "nothing was changed: $target isn't a file"; fi
    for kept in $(kept_generations); do
        is_ours "$generations/$kept" || die_open "$generations/$kept"
    done
}

# One at a time: what one is told must not be the word on what the other has put there. Held until the word is known.
lock() {
    command -v flock > /dev/null || die "nothing was changed: there is no flock on the board (package util-linux)"
    check_ours
    mkdir -p "$folder" 2> /dev/null || die "nothing was changed: $folder can't be written"
    lock_file=$folder/.lock
    if [ -L "$lock_file" ] || { [ -e "$lock_file" ] && [ ! -f "$lock_file" ]; }; then
        die "nothing was changed: $lock_file isn't a file; remove it"
    fi
    # For this user alone: whoever can read it could hold it.
    (umask 077 && : >> "$lock_file") 2> /dev/null || die "nothing was changed: $folder can't be written"
    is_ours "$lock_file" || die_open "$lock_file"
    exec 9>> "$lock_file"
    flock -w "$wait_seconds" 9 \
        || die "busy, nothing was changed: another push or rollback has been at work for $wait_seconds s"
    # Of one whose board lost its power.
    rm -f "$folder"/.vitrine-push.*
}

# Puts a file in the place of another. On the disk before it is said to be there.
place() {
    if ! sync "$1" 2> /dev/null || ! mv -fT "$1" "$2" 2> /dev/null; then return 1; fi
    sync "$2" "$(dirname "$2")" 2> /dev/null || die "$2 is in place, but the disk doesn't take it"
}

# The copy becomes the file that the player reads.
put_in_place() {
    if mkdir -p "$(dirname "$target")" 2> /dev/null && chmod 644 "$copy" && place "$copy" "$target"; then return; fi
    die "nothing was changed: $target can't be written"
}

# A file beside the target, so that it can be renamed.
make_copy() {
    copy=$(mktemp "$folder/.vitrine-push.XXXXXX" 2> /dev/null) || die "nothing was changed: $folder can't be written"
}

# MARK: The player

# The state file as one reading of it, and whether whoever wrote it is alive; the file outlives a player that was killed.
look() {
    # The player's folder is the player's: neither a pipe nor a link under that name is waited for or followed.
    state=$(dd if="$state_file" iflag=nofollow,nonblock bs=64k count=16 2> /dev/null | tr -d '\000')
    pid=$(value_of pid)
    case $pid in *[!0-9]*) pid='' ;; esac
    case $(cat "/proc/${pid:-none}/comm" 2> /dev/null || true) in
        vitrine*) is_running=yes ;;
        *) is_running=no ;;
    esac
}

# The value of a key of a JSON object that has one a line.
value_of() { printf '%s\n' "$state" | sed -n "s/^  \"$1\": \"\{0,1\}\(.*[^\",]\)\"\{0,1\},\{0,1\}\$/\1/p" | head -n 1; }

# Of all files that are in place, as the state file has it.
fingerprint() {
    set_name=$folder
    [ "$folder" != /etc/vitrine ] || set_name=/etc/vitrine/vitrine.toml
    state=$(timeout "$check_limit" "$player" check --json "$set_name" 2> /dev/null || true)
    value_of fingerprint | grep -v '^null$' || true
}

is_confirmed() {
    confirmed_files=$(fingerprint)
    look
    [ "$is_running" = yes ] && [ "$(value_of files)" = "$confirmed_files" ] && [ "$(value_of state)" = confirmed ]
}

# A folder that was made under a strict umask shuts the player out, which then has no configuration at its next start.
check_open() {
    [ "$(id -u)" = 0 ] && command -v setpriv > /dev/null || return 0
    look
    if [ "$is_running" = yes ]; then
        user=$(sed -n 's/^Uid:\t\([0-9]*\).*/\1/p' "/proc/$pid/status")
        group=$(sed -n 's/^Gid:\t\([0-9]*\).*/\1/p' "/proc/$pid/status")
        groups=$(sed -n 's/^Groups:\t\(.*[0-9]\).*/\1/p' "/proc/$pid/status" | tr ' ' ',')
    elif user=$(id -u vitrine 2> /dev/null); then
        group=$(id -g vitrine) groups=$(id -G vitrine | tr ' ' ',')
    else
        return 0
    fi
    [ "$user" != 0 ] || return 0
    for path in "$folder" "$folder/conf.d"; do
        [ -d "$path" ] || continue
        # shellcheck disable=SC2086  # it is one word, or none
        setpriv --reuid "$user" --regid "$group" ${groups:+--groups "$groups"} ${groups:---clear-groups} \
            test -r "$path" -a -x "$path" 2> /dev/null \
            || die "nothing was changed: the player (user $user) may not look into $path; on the board: chmod 755 $path"
    done
}

# What the copy would make of the board's configuration; without a copy, what taking the file away would.
check_together() {
    scratch=$(mktemp -d 2> /dev/null) || die "nothing was changed: there is no room in ${TMPDIR:-/tmp}"
    [ ! -e "$folder/vitrine.toml" ] || cp "$folder/vitrine.toml" "$scratch/"
    mkdir "$scratch/conf.d"
    [ ! -d "$folder/conf.d" ] || cp "$folder"/conf.d/*.toml "$scratch/conf.d/" 2> /dev/null || true
    if [ -n "$copy" ]; then cp "$copy" "$scratch/$name"; else rm -f "$scratch/$name"; fi
    errors=$(timeout "$check_limit" "$player" check "$scratch" 2>&1) && return 0
    # Below each stands its line with a mark, and what to write. The last line counts them.
    die "refused, nothing was changed: $(printf '%s\n' "$errors" | sed '$d' \
        | awk '/^    /{ if (!warning) print; next } { warning = /: warning: /; if (!warning) print }' \
        | head -n 40 | sed "s|$scratch/||")"
}

# MARK: Generations

# Their file names, newest first.
kept_generations() {
    [ ! -d "$generations" ] || find "$generations" -mindepth 1 -maxdepth 1 -name '[0-9]*' -exec basename {} \; | sort -rn
}

generation_sum() {
    case $1 in *.absent) printf 'absent\n' ;; *) sum_of "$generations/$1" ;; esac
}

# What is in place becomes the newest generation. One of the same content goes, so that going to and fro keeps the others.
record() {
    recorded=$(sum_of "$target") newest=0 same=''
    for kept in $(kept_generations); do
        [ "$newest" != 0 ] || newest=${kept%.absent}
        [ "$(generation_sum "$kept")" != "$recorded" ] || same="$same $kept"
    done
    case $same in " $newest" | " $newest.absent") return 0 ;; esac
    mkdir -p "$generations" 2> /dev/null || return 1
    # Of one that was cut off; a link of old isn't followed.
    rm -f "$generations/.new" || return 1
    number=$((newest + 1))
    if [ "$recorded" = absent ]; then
        : > "$generations/.new" || return 1
        number=$number.absent
    else
        cp "$target" "$generations/.new" 2> /dev/null || return 1
    fi
    place "$generations/.new" "$generations/$number" || return 1
    for kept in $same; do rm -f "$generations/$kept"; done
    kept_generations | tail -n "+$((generations_kept + 1))" | while read -r kept; do rm -f "$generations/$kept"; done
}

# Before the file in place is replaced: it is kept where it was confirmed, and where nothing else could be gone back to.
keep_before() {
    if [ -n "$(kept_generations)" ] && ! is_confirmed; then return; fi
    record || die "nothing was changed: what is there can't be kept; is the disk full?"
}

# MARK: The word

# Waits for the player's word on the files that are in place now. The first argument is what to add to "confirmed"; the second
# a number of readings: the same process has to have read the files once more.
await_word() {
    placed=$(sum_of "$target")
    wanted=$(fingerprint)
    look
    asked=$pid waited=0 alone=0
    while :; do
        [ "$(sum_of "$target")" = "$placed" ] \
            || die "replaced: somebody has changed $target meanwhile, and not by push; no word on what was pushed"
        look
        readings=$(value_of readings)
        if [ "$is_running" = yes ] && [ -n "$wanted" ] && [ "$(value_of files)" = "$wanted" ] \
            && { [ "$pid" != "$asked" ] || [ "${readings:-0}" -gt "$2" ]; }; then
            say_word "$1"
        fi
        if [ "$is_running" = yes ]; then alone=0; else alone=$((alone + 1)); fi
        if [ "$alone" -ge $((player_grace * 2)) ] || [ "$waited" -ge $((wait_seconds * 2)) ]; then break; fi
        sleep 0.5
        waited=$((waited + 1))
    done
    [ -n "$state" ] || die "in place; the player doesn't run, or tells nothing in $state_file"
    [ "$is_running" = yes ] || die "in place; the player doesn't run: what $state_file says is of one that has ended"
    [ "$(value_of files)" = "$wanted" ] || die "in place; the player hasn't read it within $wait_seconds s"
    no_screen=''
    [ "$(value_of screen)" != none ] || no_screen=', and there is no screen'
    die "in place, and not confirmed within $wait_seconds s (now: $(value_of state)$no_screen)"
}

# Ends with the word where it is final.
say_word() {
    # As it stands in JSON.
    reason=$(value_of reason | sed -e 's/\\"/"/g' -e 's/\\\\/\\/g')
    case $(value_of state) in
        confirmed)
            record || die "confirmed$1; but it can't be kept as a generation: is the disk full?"
            printf 'confirmed%s\n' "$1"
            exit 0 ;;
        candidate)
            [ "$(value_of screen)" = asleep ] || return 0
            printf 'accepted, shown when the screen wakes\n'
            exit 0 ;;
        refused|none) die "refused: $reason" ;;
        rolled-back) die "rolled back: $reason" ;;
        unconfirmed) die "doesn't play, and there is nothing to go back to: $reason" ;;
    esac
}

# MARK: What it is all for

push() {
    lock
    make_copy
    payload > "$copy" 2> /dev/null || die "nothing was changed: the file can't be written; is the disk full?"
    [ "$(sum_of "$copy")" = "$sum" ] || die "nothing was changed: the copy is damaged, or the disk is full"
    check_open
    if [ "$(sum_of "$target")" = "$sum" ]; then push_again; fi
    check_together
    keep_before
    put_in_place
    await_word '' -1
}

# The same file: there is nothing to change. One that the player has given up is tried again: a server may be back.
push_again() {
    wanted=$(fingerprint)
    look
    given_up=no
    if [ "$(value_of files)" = "$wanted" ]; then
        case $(value_of state) in refused|rolled-back|unconfirmed|none) given_up=yes ;; esac
    fi
    readings=$(value_of readings)
    [ "$given_up" = yes ] || await_word ', nothing was new' -1
    put_in_place
    await_word ', at another try' "${readings:--1}"
}

roll_back() {
    [ -d "$folder" ] || die "there is nothing to go back to"
    lock
    if [ -e "$target" ] || [ -n "$(kept_generations)" ]; then keep_before; fi
    found=''
    now=$(sum_of "$target")
    for kept in $(kept_generations); do
        if [ "$wanted_generation" != - ]; then
            [ "${kept%.absent}" != "$wanted_generation" ] || found=$kept
        elif [ -z "$found" ] && [ "$(generation_sum "$kept")" != "$now" ]; then
            found=$kept
        fi
    done
    [ -n "$found" ] || {
        [ "$wanted_generation" = - ] || die "there is no generation $wanted_generation; see rollback --list"
        die "there is nothing to go back to"
    }
    [ "$(generation_sum "$found")" != "$now" ] || await_word ', nothing was new' -1
    check_open
    case $found in
        *.absent)
            check_together
            rm -f "$target" 2> /dev/null || die "nothing was changed: $target can't be removed"
            sync "$(dirname "$target")" ;;
        *)
            make_copy
            cp "$generations/$found" "$copy" 2> /dev/null || die "nothing was changed: $folder can't be written; is the disk full?"
            check_together
            put_in_place ;;
    esac
    await_word '' -1
}

list() {
    check_ours
    now=$(sum_of "$target") any=no
    for kept in $(kept_generations); do
        any=yes
        content=$(generation_sum "$kept") mark=''
        [ "$content" != "$now" ] || mark=', in place'
        [ "$content" != absent ] || content='no such file'
        printf '%s: %s, %.12s%s\n' "${kept%.absent}" "$(date -u -r "$generations/$kept" '+%Y-%m-%d %H:%M:%SZ')" "$content" "$mark"
    done
    [ "$any" = yes ] || printf 'nothing is kept\n'
}

main() {
    case $action in
        push) push ;;
        rollback) roll_back ;;
        list) list ;;
        *) die "nothing was changed: no action $action" ;;
    esac
}
