# shellcheck shell=bash
# Functions that scripts share which make Debian roots. To be sourced.

# Where this machine's apt gets Debian's packages, as lines "KIND ADDRESS"; KIND is main, updates or security.
debian_archives() {
    # shellcheck disable=SC2016 # $(...) is apt's own notation
    apt-get indextargets --format '$(ORIGIN) $(LABEL) $(CODENAME) $(REPO_URI)' 'Created-By: Packages' |
        awk '
            $1 != "Debian" || $3 ~ /backports/ { next }
            { kind = $2 == "Debian-Security" ? "security" : $3 ~ /-updates$/ ? "updates" : "main"
              if (!seen[kind]++) print kind, $4 }'
}

# The same as lines of a sources.list for the suite $1.
debian_sources() {
    debian_archives | awk -v suite="$1" '{ print "deb", $2, $1 == "main" ? suite : suite "-" $1, "main" }'
}

# Folders that git uses in place of repository addresses.
local_repositories() {
    git config --get-regexp '^url\..*\.insteadof$' 2> /dev/null |
        sed -nE 's|^url\.(file://)?(/.*)\.insteadof .*|\2|p' | sort -u
}
