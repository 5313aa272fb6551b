#!/usr/bin/env bash
# Runs a command in another root as on a machine of its own, and leaves nothing of it behind.
#
#   in_root.sh ROOT [--bind FROM AT | --bind-ro FROM AT].. -- COMMAND [ARGUMENT..]
#
# Mounts live in a namespace that ends with the command, so nobody outside can meet them (rm -rf) and
# none can be left over; processes that outlive the command are killed. Network, host name and devices
# are this machine's; /tmp is a new one in memory, or this machine's with YM_KEEP, which keeps the
# clusters of tests. AT is a path in ROOT and is made there if it is missing.
set -euo pipefail

fail() { printf 'in_root: %s\n' "$*" >&2; exit 1; }

# The command gets of our environment only what means the same in ROOT.
clean_environment() {
    local name kept=()
    for name in $(compgen -e); do
        case $name in
        CCACHE_DIR) ;;
        TERM | NO_COLOR | YM_* | CCACHE_* | CTEST_* | *_proxy) kept+=("$name=${!name}") ;;
        esac
    done
    exec env -i "${kept[@]}" PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        HOME=/root LC_ALL=C.UTF-8 "$@"
}

# bind FROM AT: shows a folder or file of this machine in the root, where links of the root lead.
bind() {
    local at
    at=$root$(chroot "$root" readlink -m -- "$2")
    if [ -d "$1" ]; then
        mkdir -p "$at"
    else
        mkdir -p "${at%/*}"
        [ -e "$at" ] || : >"$at"
    fi
    mount --rbind "$1" "$at"
    [ "${3:-}" != read-only ] || mount -o remount,ro,bind "$at"
}

mount_tmp() {
    local claims=/tmp/ymcluster-ports # tests/cluster/ports.py: the ports are shared
    if [ -n "${YM_KEEP:-}" ]; then
        bind /tmp /tmp
        return
    fi
    mkdir -p "$claims"
    mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
    bind "$claims" "$claims"
}

mount_all() {
    mount --make-rprivate /
    mount --rbind "$root" "$root" # a mount point of its own: unshare wants one as its "/"
    mount -t tmpfs -o mode=755 tmpfs "$root/run"
    mount -t proc proc "$root/proc"
    bind /dev /dev
    bind /sys /sys
    mount_tmp
    bind /etc/resolv.conf /etc/resolv.conf
    bind /etc/hosts /etc/hosts
}

if [ "${1:-}" != --inside ]; then
    [ "$(id -u)" = 0 ] || fail "needs root, for mounts and chroot"
    unshare --mount --pid --fork true 2>/dev/null ||
        fail "no right to mount here (CAP_SYS_ADMIN): start this container with --privileged"
    exec unshare --mount --pid --fork --kill-child -- "$0" --inside "$@"
fi
shift
root=$(readlink -f -- "$1")
shift
[ -x "$root/bin/sh" ] || fail "$root: no root of a system there (no bin/sh)"
mount_all
while [ "$1" != -- ]; do
    case $1 in
    --bind) bind "$2" "$3" ;;
    --bind-ro) bind "$2" "$3" read-only ;;
    *) fail "unknown option $1" ;;
    esac
    shift 3
done
shift
status=0
# Not exec: this shell is the namespace's first process and reaps what daemons leave.
(clean_environment chroot "$root" "$@") || status=$?
exit "$status"
