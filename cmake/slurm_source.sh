#!/usr/bin/env bash
# Puts a configured Slurm source tree, matching the Slurm that is installed on this Debian machine,
# into DIR. Select and job_submit plugins need Slurm's internal headers, which libslurm-dev lacks.
#
#   slurm_source.sh DIR
#
# Uses an apt state of its own below DIR: the system's apt lists and sources are read, never changed.
# Needs network access to the machine's own Debian mirror, dpkg-dev, libmunge-dev and a C compiler.
set -euo pipefail

dir=${1:?usage: slurm_source.sh DIR}
say() { printf 'slurm_source: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

version=$(dpkg-query -W -f '${source:Upstream-Version}' slurmctld 2>/dev/null) ||
    fail "slurmctld is not installed; apt-get install slurmctld, or pass -DYM_SLURM_SOURCE=<configured tree>"
has_version() {  # TREE: is it configured, and of the installed version?
    [ -f "$1/slurm/slurm_version.h" ] &&
        grep -q "^#define SLURM_VERSION_STRING \"$version\"" "$1/config.h" 2>/dev/null
}
if has_version "$dir"; then
    exit 0
fi

# The mirror and suite that the installed package came from.
codename=$(. /etc/os-release && printf '%s' "$VERSION_CODENAME")
mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 2>/dev/null |
    grep -E '/debian/?$' | sort -u | head -n 1 || true)
[ -n "$mirror" ] || fail "no Debian mirror found in this machine's apt sources; pass -DYM_SLURM_SOURCE="
security=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 2>/dev/null |
    grep -E '/debian-security/?$' | sort -u | head -n 1 || true)

state=$(mktemp -d)
trap 'rm -rf "$state"' EXIT
mkdir -p "$state/lists/partial" "$state/cache/archives/partial" "$state/src"
{
    printf 'deb-src %s %s main\n' "$mirror" "$codename"
    [ -z "$security" ] || printf 'deb-src %s %s-security main\n' "$security" "$codename"
} >"$state/sources.list"
apt=(apt-get -q -o "Dir::State::Lists=$state/lists" -o "Dir::Etc::SourceList=$state/sources.list"
    -o Dir::Etc::SourceParts=/dev/null -o "Dir::Cache=$state/cache" -o APT::Sandbox::User=root)
say "fetching the source of slurm-wlm $version"
"${apt[@]}" update >"$state/log" 2>&1 || { cat "$state/log" >&2; fail "apt-get update failed"; }
package=$(dpkg-query -W -f '${Version}' slurmctld)
(cd "$state/src" && { "${apt[@]}" source --tar-only "slurm-wlm=$package" ||
    "${apt[@]}" source --tar-only slurm-wlm; }) >>"$state/log" 2>&1 ||
    { cat "$state/log" >&2; fail "the source package could not be had"; }
tarball=$(find "$state/src" -name 'slurm-wlm_*.orig.tar.*' | head -n 1)
[ -n "$tarball" ] || fail "the source package held no .orig.tar"
mkdir "$state/tree"
tar -xf "$tarball" -C "$state/tree" --strip-components 1
say "configuring it (about half a minute)"
(cd "$state/tree" && ./configure --sysconfdir=/etc/slurm --with-munge --disable-debug \
    --enable-multiple-slurmd --without-rpath) >"$state/configure.log" 2>&1 ||
    { tail -n 30 "$state/configure.log" >&2; fail "Slurm's configure failed"; }
has_version "$state/tree" ||
    fail "the source is not $version: $(grep 'define SLURM_VERSION_STRING' "$state/tree/config.h")"
rm -rf "$dir"
mkdir -p "$(dirname "$dir")"
mv "$state/tree" "$dir"
say "ready in $dir"
