# Debian's releases, their Slurm, and roots of other releases to test in. Sourced by ./dev, which
# provides say and fail.
#
# shellcheck shell=bash

# VERSION_ID CODENAME SLURM_SERIES of the releases whose Slurm we test on.
RELEASES=("12 bookworm 22.05" "13 trixie 24.11")
KNOWN_SERIES="${RELEASES[*]##* }"

# release WORD: the row that holds WORD; fails when none does.
release() {
    local row
    for row in "${RELEASES[@]}"; do
        [[ " $row " != *" $1 "* ]] || { printf '%s\n' "$row"; return 0; }
    done
    return 1
}

# system_of ROOT: ID and VERSION_ID of the system there, e.g. "debian 12".
system_of() {
    # shellcheck source=/dev/null
    (. "$1/etc/os-release" 2>/dev/null && printf '%s %s\n' "${ID:-}" "${VERSION_ID:-}") ||
        printf 'unknown\n'
}

# series_of ROOT: the series of the release there; fails when it is none of ours.
series_of() {
    local system row
    system=$(system_of "$1")
    [[ $system == debian\ * ]] && row=$(release "${system#debian }") && printf '%s\n' "${row##* }"
}

# The Debian mirror of this machine's own apt sources.
debian_mirror() {
    [ -z "${YM_DEBIAN_MIRROR:-}" ] || { printf '%s\n' "$YM_DEBIAN_MIRROR"; return; }
    apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 2>/dev/null |
        grep -E '/debian/?$' | sort -u | head -n 1 | grep .
}

# make_root SERIES DIR: a minimal system of the release with that Slurm. Whole or absent: it gets its
# name when it is finished.
make_root() {
    local codename mirror log=$2.log new
    [ ! -e "$2" ] || return 0
    command -v debootstrap >/dev/null || fail "debootstrap is not installed: run ./dev setup"
    mirror=$(debian_mirror) || fail "no Debian mirror in this machine's apt sources:" \
        "name one, e.g. YM_DEBIAN_MIRROR=http://deb.debian.org/debian"
    codename=$(release "$1")
    codename=${codename% *}
    codename=${codename#* }
    mkdir -p "${2%/*}"
    remove_tree "$2".new.*  # of a run that was killed
    new=$(mktemp -d "$2.new.XXXXXX")
    say "making a Debian $codename root in $2 (a minute)"
    if ! bootstrap "$codename" "$new" "$mirror" >"$log" 2>&1; then
        tail -n 20 "$log" >&2
        remove_tree "$new"
        fail "debootstrap $codename from $mirror failed; its last words stand above," \
            "all of them in $log"
    fi
    mv -T "$new" "$2"
}

# In a namespace of its own: what debootstrap mounts is gone with it, also when it is killed.
bootstrap() {
    unshare --mount --pid --fork --kill-child -- debootstrap --variant=minbase "$@" || return 1
    chmod 755 "$2"
    printf 'force-unsafe-io\n' >"$2/etc/dpkg/dpkg.cfg.d/yardmaster-test-root"
}

# remove_tree PATH..: rm -rf that refuses to go through a mount point to what is mounted there.
remove_tree() {
    local path mounted
    for path in "$@"; do
        [ -e "$path" ] || [ -L "$path" ] || continue
        mounted=$(mounts_below "$path")
        [ -z "$mounted" ] || fail "will not remove $path: unmount $mounted first"
        rm -rf --one-file-system "$path"
    done
}

# mounts_below PATH: what is mounted at or below it, one path a line.
mounts_below() {
    local real mounted
    real=$(readlink -f -- "$1")
    while read -r _ _ _ _ mounted _; do
        mounted=$(printf '%b' "$mounted")  # blanks stand there as \040
        [[ $mounted != "$real" && $mounted != "$real"/* ]] || printf '%s\n' "$mounted"
    done </proc/self/mountinfo
}
