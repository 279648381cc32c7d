# shellcheck shell=bash
# Code that push and rollback share: options, ssh, many boards at once.

# In patterns, a range such as a-z means ASCII letters only.
export LC_ALL=C
folder=/etc/vitrine runtime=/run/vitrine sudo=no on_board_player=vitrine jobs=8 wait_seconds=120 ssh_options=() taken=0

fail() {
    local status=$1
    shift
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
    exit "$status"
}

# Text from a board goes to the user's terminal: control characters are removed, and the length is limited.
say() {
    local line
    while IFS= read -r line; do
        printf '%s: %s\n' "$1" "$line"
    done < <(printf '%s\n' "$2" | tr -d '\000-\010\013-\037\177' | sed -e 's/\xC2[\x80-\x9F]//g' \
        -e 's/\xE2\x80[\x8B\x8E\x8F\xA8-\xAE]//g' -e 's/\xE2\x81[\xA0-\xAF]//g' -e 's/\xD8\x9C//g' -e 's/\xEF\xBB\xBF//g' | head -n 50 | cut -c 1-1000)
}

# Checks an argument, and exits if it is invalid.
check_argument() {
    local kind=$1 value=$2 pattern wanted
    case $kind in
        folder) pattern='^/[A-Za-z0-9_./-]+$' wanted='an absolute path of plain characters' ;;
        command) pattern='^[A-Za-z0-9_./][A-Za-z0-9_./-]*$' wanted='a command or its path, of plain characters' ;;
        host) pattern='^[A-Za-z0-9_[][][A-Za-z0-9_.:@%/-]*$' wanted='the name or the address of a host' ;;
        drop-in) pattern='^[0-9][0-9]-[A-Za-z0-9_.-]+\.toml$' wanted='the name of a drop-in: NN-name.toml' ;;
        jobs) pattern='^[1-9][0-9]{0,2}$' wanted='a number from 1 to 999' ;;
        seconds) pattern='^[1-9][0-9]{0,4}$' wanted='a number of seconds from 1 to 99999' ;;
        generation) pattern='^[1-9][0-9]{0,8}$' wanted='the number of a generation; see rollback --list' ;;
        *) fail 70 "there is no rule for a $kind" ;;
    esac
    [[ $value =~ $pattern ]] || fail 64 "$value is not $wanted"
}

# Quotes words for the board's sh.
quoted() {
    local word escape="'\\''"
    for word in "$@"; do printf "'%s' " "${word//\'/$escape}"; done
}

# Reads an option that both programs have; sets $taken to the number of words.
# shellcheck disable=SC2034  # the callers use it
board_option() {
    taken=2
    case $1 in
        --folder) folder=${2:?--folder needs a folder}; check_argument folder "$folder" ;;
        --runtime) runtime=${2:?--runtime needs a folder}; check_argument folder "$runtime" ;;
        --on-board) on_board_player=${2:?--on-board needs a command}; check_argument command "$on_board_player" ;;
        --ssh) ssh_options+=("${2:?--ssh needs an option}") ;;
        --jobs) jobs=${2:?--jobs needs a number}; check_argument jobs "$jobs" ;;
        --wait) wait_seconds=${2:?--wait needs seconds}; check_argument seconds "$wait_seconds" ;;
        --sudo) sudo=yes taken=1 ;;
        -*) usage >&2; exit 64 ;;
        *) return 1 ;;
    esac
}

# Prints the script for the board with the pushed file inside, so that one connection is enough.
board_script() {
    printf "payload() {\nbase64 -d <<'PAYLOAD'\n"
    [ -z "$1" ] || base64 < "$1"
    printf 'PAYLOAD\n}\n'
    cat "$(dirname "${BASH_SOURCE[0]}")/board-side.sh"
    # Commands that the script runs must not read the rest of the script as their input.
    printf 'main < /dev/null\n'
}

# A lost connection is noticed within 20 s. ssh never asks for a password.
on_board() {
    local host=$1 become=()
    shift
    [ "$sudo" = no ] || become=(sudo -n)
    ssh -o BatchMode=yes -o ConnectTimeout=10 -o ServerAliveInterval=5 -o ServerAliveCountMax=4 \
        ${ssh_options[@]+"${ssh_options[@]}"} -- "$host" "$(quoted ${become[@]+"${become[@]}"} "$@")"
}

# Turns ssh's messages into an explanation. "nothing was changed" is certain only if the connection failed before a command could
# run.
connection_fault() {
    local last
    last=$(grep -v '^Warning: ' <<< "$1" | grep -v '^@*$' | tail -n 1 || true)
    case $1 in
        *"IDENTIFICATION HAS CHANGED"*)
            printf "another host key than the one known here, nothing was changed: was the board reinstalled, or does another machine answer?" ;;
        *"Host key verification failed"*)
            printf "unknown host key, nothing was changed: connect once by hand with ssh, and compare the fingerprint with the board's" ;;
        *"Permission denied"*)
            printf "not let in, nothing was changed: %s" "$last" ;;
        *"Could not resolve hostname"* | *"connect to host"* | *"banner exchange"* | *"kex_exchange_identification"*)
            printf "unreachable, nothing was changed: %s" "$last" ;;
        *)
            printf "the connection broke off, and the file may be in place: repeat the command to find out (%s)" "${last:-ssh said nothing}" ;;
    esac
}

# Runs board-side.sh on the board and prints its result. Arguments: host, the file to push (or empty), then the last arguments of
# the script.
run_on_board() {
    local host=$1 file=$2 answer errors status=0
    shift 2
    errors=$(mktemp)
    answer=$(board_script "$file" \
        | on_board "$host" sh -s -- "$folder" "$runtime" "$on_board_player" "$wait_seconds" "$@" 2> "$errors") || status=$?
    if [ "$status" -eq 255 ] && [ -n "$answer" ]; then
        answer="$answer (and then the connection broke off)"
    elif [ "$status" -eq 255 ]; then
        answer=$(connection_fault "$(cat "$errors")")
    elif [ -z "$answer" ]; then
        answer="failed, and the file may be in place: $(tail -n 1 "$errors")"
        [ "$status" -ne 0 ] || status=1
    fi
    rm -f "$errors"
    say "$host" "$answer"
    [ "$status" -eq 0 ]
}

# Calls a function with each host, up to $jobs at the same time. Fails if one call fails.
for_each_host() {
    local each=$1 host failed=0 running=0
    shift
    for host in "$@"; do
        if [ "$running" -ge "$jobs" ]; then
            wait -n || failed=1
            running=$((running - 1))
        fi
        "$each" "$host" &
        running=$((running + 1))
    done
    while [ "$running" -gt 0 ]; do
        wait -n || failed=1
        running=$((running - 1))
    done
    exit "$failed"
}
