# shellcheck shell=sh
# The board's half of push and rollback, for plain sh. boards.sh sends three parts over ssh: a function `payload` that prints the
# pushed file, this file, and a call of `main`. The call comes last, so a script that arrives incomplete does nothing.
#
# Arguments: the folder of the configuration, the folder of configuration.json, the player, seconds to wait,
# push|rollback|list, the name of the file in the folder, its SHA-256 sum, the generation to go back to (or -).
#
# Prints one line with the result. `list` prints one line for each kept generation.
set -eu
# The umask of the ssh user can be stricter, and the player runs as another user, who has to read the files.
umask 022

# How many confirmed generations of a file are kept: enough for a week of working days.
generations_kept=5
# Seconds without a player after which nothing waits for it any longer. systemd restarts a crashed player sooner.
player_grace=15
# Seconds. `vitrine check` takes well under a second, but it hangs on a network folder whose server is down.
check_limit=60

folder=$1 runtime=$2 player=$3 wait_seconds=$4 action=$5 name=$6 sum=$7 wanted_generation=$8
target=$folder/$name
state_file=$runtime/configuration.json
# One file for each generation, named by its number. N.absent records that the file did not exist.
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

# MARK: Who owns the folder

# Whether only this user or root can change where a path leads. In a folder that other users may write, one of them could put a link
# under a name that is written here, and so redirect the write to any file of this user. A sticky folder (/tmp) is allowed: users
# can't replace each other's files there.
is_ours() {
    case $(stat -c '%u' -- "$1" 2> /dev/null || true) in 0 | "$me") ;; *) return 1 ;; esac
    [ -L "$1" ] || [ -z "$(find "$1" -maxdepth 0 -perm /022 ! -perm -1000 2> /dev/null || echo unknown)" ]
}

# Checks each existing folder on the path.
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
    die "nothing was changed: users other than $(id -un) may change $1, and could redirect this write by a link;" \
        "on the board: chown $(id -un) $1; chmod go-w $1"
}

# Nothing is read or written before these checks: the path is inside the folder, and no other user can change it. The contents are
# checked too, because other users may have left files there while the folder was open to them.
check_ours() {
    me=$(id -u)
    check_way "$folder"
    check_way "$(readlink -m -- "$folder")"
    for inner in "$folder" "$folder/conf.d" "$folder/.generations" "$generations"; do
        [ -e "$inner" ] || [ -L "$inner" ] || continue
        [ "$inner" = "$folder" ] || [ ! -L "$inner" ] || die "nothing was changed: $inner is a link; replace it by a folder"
        [ -d "$inner" ] || die "nothing was changed: $inner isn't a folder"
        is_ours "$inner" || die_open "$inner"
        [ -z "$(find "$inner/" -maxdepth 0 -perm /022)" ] || die_open "$inner"
        foreign=$(find "$inner/" -mindepth 1 -maxdepth 1 ! -type f ! -type d ! -uid "$me" ! -uid 0 | head -n 1)
        [ -z "$foreign" ] || die "nothing was changed: $foreign isn't a file, and another user created it; look at it and remove it"
    done
    if [ -e "$target" ] && [ ! -f "$target" ]; then die "nothing was changed: $target isn't a file"; fi
    for kept in $(kept_generations); do
        is_ours "$generations/$kept" || die_open "$generations/$kept"
    done
}

# One push or rollback at a time, so that each one reports the player's answer to its own file. The lock is held until that answer.
lock() {
    command -v flock > /dev/null || die "nothing was changed: there is no flock on the board (package util-linux)"
    check_ours
    mkdir -p "$folder" 2> /dev/null || die "nothing was changed: $folder can't be written"
    lock_file=$folder/.lock
    if [ -L "$lock_file" ] || { [ -e "$lock_file" ] && [ ! -f "$lock_file" ]; }; then
        die "nothing was changed: $lock_file isn't a file; remove it"
    fi
    # Readable by this user only: a user who can read the file could hold the lock.
    (umask 077 && : >> "$lock_file") 2> /dev/null || die "nothing was changed: $folder can't be written"
    is_ours "$lock_file" || die_open "$lock_file"
    exec 9>> "$lock_file"
    flock -w "$wait_seconds" 9 \
        || die "busy, nothing was changed: another push or rollback has been at work for $wait_seconds s"
    # Left by a push during which the board lost power.
    rm -f "$folder"/.vitrine-push.*
}

# Renames a file over another. Syncs it to the disk first, so that a reported success survives a power cut.
place() {
    if ! sync "$1" 2> /dev/null || ! mv -fT "$1" "$2" 2> /dev/null; then return 1; fi
    sync "$2" "$(dirname "$2")" 2> /dev/null || die "$2 is in place, but can't be synced to the disk"
}

# The copy becomes the file that the player reads.
put_in_place() {
    if mkdir -p "$(dirname "$target")" 2> /dev/null && chmod 644 "$copy" && place "$copy" "$target"; then return; fi
    die "nothing was changed: $target can't be written"
}

# Creates the copy in the target's folder, because a rename works only within a file system.
make_copy() {
    copy=$(mktemp "$folder/.vitrine-push.XXXXXX" 2> /dev/null) || die "nothing was changed: $folder can't be written"
}

# MARK: The player

# Reads the state file once, and checks whether the player that wrote it still runs: the file outlives a killed player.
look() {
    # Another user (the player) owns this folder, so a link under that name isn't followed, and a pipe isn't waited for.
    state=$(dd if="$state_file" iflag=nofollow,nonblock bs=64k count=16 2> /dev/null | tr -d '\000')
    pid=$(value_of pid)
    case $pid in *[!0-9]*) pid='' ;; esac
    case $(cat "/proc/${pid:-none}/comm" 2> /dev/null || true) in
        vitrine*) is_running=yes ;;
        *) is_running=no ;;
    esac
}

# The value of a key in JSON with one key per line.
value_of() { printf '%s\n' "$state" | sed -n "s/^  \"$1\": \"\{0,1\}\(.*[^\",]\)\"\{0,1\},\{0,1\}\$/\1/p" | head -n 1; }

# The fingerprint of all files in place, computed as in the state file.
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

# A folder that was created under a strict umask is closed to the player, which then starts without a configuration.
check_open() {
    [ "$(id -u)" = 0 ] && command -v setpriv > /dev/null || return 0
    look
    account=''
    # The player may have ended since.
    [ "$is_running" = no ] || account=$(cat "/proc/$pid/status" 2> /dev/null || true)
    if [ -n "$account" ]; then
        user=$(printf '%s\n' "$account" | sed -n 's/^Uid:\t\([0-9]*\).*/\1/p')
        group=$(printf '%s\n' "$account" | sed -n 's/^Gid:\t\([0-9]*\).*/\1/p')
        groups=$(printf '%s\n' "$account" | sed -n 's/^Groups:\t\(.*[0-9]\).*/\1/p' | tr ' ' ',')
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

# Checks the board's configuration as it will be with the copy; without a copy, as it will be without the target file.
check_together() {
    scratch=$(mktemp -d 2> /dev/null) || die "nothing was changed: there is no room in ${TMPDIR:-/tmp}"
    [ ! -e "$folder/vitrine.toml" ] || cp "$folder/vitrine.toml" "$scratch/"
    mkdir "$scratch/conf.d"
    [ ! -d "$folder/conf.d" ] || cp "$folder"/conf.d/*.toml "$scratch/conf.d/" 2> /dev/null || true
    if [ -n "$copy" ]; then cp "$copy" "$scratch/$name"; else rm -f "$scratch/$name"; fi
    errors=$(timeout "$check_limit" "$player" check "$scratch" 2>&1) && return 0
    # Below each error, `vitrine check` prints the line, a mark and a suggestion. Its last line is the number of errors.
    die "refused, nothing was changed: $(printf '%s\n' "$errors" | sed '$d' \
        | awk '/^    /{ if (!warning) print; next } { warning = /: warning: /; if (!warning) print }' \
        | head -n 40 | sed "s|$scratch/||")"
}

# MARK: Generations

# File names of the generations, newest first.
kept_generations() {
    [ ! -d "$generations" ] || find "$generations" -mindepth 1 -maxdepth 1 -name '[0-9]*' -exec basename {} \; | sort -rn
}

generation_sum() {
    case $1 in *.absent) printf 'absent\n' ;; *) sum_of "$generations/$1" ;; esac
}

# Keeps the current file as the newest generation. An older generation with the same content is removed, so that changing between
# two files doesn't push out the others.
record() {
    recorded=$(sum_of "$target") newest=0 same=''
    for kept in $(kept_generations); do
        [ "$newest" != 0 ] || newest=${kept%.absent}
        [ "$(generation_sum "$kept")" != "$recorded" ] || same="$same $kept"
    done
    case $same in " $newest" | " $newest.absent") return 0 ;; esac
    mkdir -p "$generations" 2> /dev/null || return 1
    # A copy that an interruption left. It is removed first, so that a link under this name isn't followed.
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

# Keeps the current file before it is replaced, if the player confirmed it or if no generation is kept yet.
keep_before() {
    if [ -n "$(kept_generations)" ] && ! is_confirmed; then return; fi
    record || die "nothing was changed: the current file can't be kept; is the disk full?"
}

# MARK: The player's answer

# Waits for the player's answer to the files now in place. The first argument is a text to add to "confirmed". The second is a
# number of readings: the same process must have read the files more often than that.
await_word() {
    placed=$(sum_of "$target")
    wanted=$(fingerprint)
    look
    asked=$pid waited=0 alone=0
    while :; do
        [ "$(sum_of "$target")" = "$placed" ] \
            || die "replaced: somebody has changed $target meanwhile, and not by push; the player's answer isn't about the pushed file"
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
    [ -n "$state" ] || die "in place; the player doesn't run, or writes nothing to $state_file"
    [ "$is_running" = yes ] || die "in place; the player doesn't run: $state_file was written by a process that has ended"
    [ "$(value_of files)" = "$wanted" ] || die "in place; the player hasn't read it within $wait_seconds s"
    no_screen=''
    [ "$(value_of screen)" != none ] || no_screen=', and there is no screen'
    die "in place, and not confirmed within $wait_seconds s (now: $(value_of state)$no_screen)"
}

# Prints the answer and exits if the answer is final.
say_word() {
    # Undo the escapes of JSON.
    reason=$(value_of reason | sed -e 's/\\"/"/g' -e 's/\\\\/\\/g')
    case $(value_of state) in
        confirmed)
            record || die "confirmed$1; but the file can't be kept as a generation: is the disk full?"
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

# MARK: The actions

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

# The same file is pushed again, so nothing changes. If the player had rejected it, the player tries once more: a server that was
# down may be back.
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
    [ "$any" = yes ] || printf 'no generation is kept\n'
}

main() {
    case $action in
        push) push ;;
        rollback) roll_back ;;
        list) list ;;
        *) die "nothing was changed: there is no action $action" ;;
    esac
}
