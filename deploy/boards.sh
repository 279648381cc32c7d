# shellcheck shell=bash
# What push and rollback share: options, ssh, many boards at once.

folder=/etc/vitrine runtime=/run/vitrine sudo=no on_board_player=vitrine jobs=8 wait_seconds=120 ssh_options=() taken=0

fail() {
    local status=$1
    shift
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
    exit "$status"
}

say() { printf '%s: %s\n' "$1" "$2"; }

# Takes an option that both have; sets $taken to the number of words.
# shellcheck disable=SC2034  # the callers use it
board_option() {
    taken=2
    case $1 in
        --folder) folder=${2:?--folder needs a folder} ;;
        --runtime) runtime=${2:?--runtime needs a folder} ;;
        --on-board) on_board_player=${2:?--on-board needs a command} ;;
        --ssh) ssh_options+=("${2:?--ssh needs an option}") ;;
        --jobs) jobs=${2:?--jobs needs a number} ;;
        --wait) wait_seconds=${2:?--wait needs seconds} ;;
        --sudo) sudo=yes taken=1 ;;
        -*) usage >&2; exit 64 ;;
        *) return 1 ;;
    esac
    local path
    for path in "$folder" "$runtime"; do
        [[ $path =~ ^/[A-Za-z0-9_./-]+$ ]] || fail 64 "$path is not an absolute path of plain characters"
    done
}

become() { [ "$sudo" = no ] || printf 'sudo -n'; }

# A board that is gone is noticed within 20 s; nothing ever asks for a password.
on_board() {
    local host=$1
    shift
    ssh -o BatchMode=yes -o ConnectTimeout=10 -o ServerAliveInterval=5 -o ServerAliveCountMax=4 \
        ${ssh_options[@]+"${ssh_options[@]}"} -- "$host" "$@"
}

# Runs board-side.sh on the board, which prints one line. Arguments: host, then those of the script.
run_on_board() {
    local host=$1 line status=0
    shift
    line=$(on_board "$host" "$(become) sh -s -- '$folder' '$runtime' '$on_board_player' '$wait_seconds' $*" \
        < "$(dirname "${BASH_SOURCE[0]}")/board-side.sh") || status=$?
    [ "$status" -ne 255 ] || line="unreachable${line:+ after: $line}"
    say "$host" "${line:-failed without a word}"
    [ "$status" -eq 0 ]
}

# Calls a function with each host, some at the same time. Fails when one does.
for_each_host() {
    local action=$1 host failed=0 running=0
    shift
    for host in "$@"; do
        if [ "$running" -ge "$jobs" ]; then
            wait -n || failed=1
            running=$((running - 1))
        fi
        "$action" "$host" &
        running=$((running + 1))
    done
    while [ "$running" -gt 0 ]; do
        wait -n || failed=1
        running=$((running - 1))
    done
    exit "$failed"
}
