#!/usr/bin/env bash
# Builds the packages for one Slurm: .deb where dpkg-dev is installed, .rpm where rpmbuild is.
#
#   build.sh BUILD SLURM_SOURCE    below BUILD: package/ (objects), packages/ (the result)
#
# SLURM_SOURCE is the configured source tree of exactly the Slurm that the packages are for, whose
# libslurm is installed here. YM_PACKAGE_CONTACT names the maintainer, YM_JOBS limits the compilers.
set -euo pipefail
umask 022 # what lands in a package may be read by all, whoever builds it

build=$(readlink -m -- "${1:?usage: build.sh BUILD SLURM_SOURCE}")
tree=$(readlink -m -- "${2:?usage: build.sh BUILD SLURM_SOURCE}")
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
objects=$build/package
fail() { printf 'build.sh: %s\n' "$*" >&2; exit 1; }

# The same source gives the same packages: their times are those of the last commit.
if [ -z "${SOURCE_DATE_EPOCH:-}" ]; then
    SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct 2>/dev/null ||
        stat -c %Y "$root/CHANGELOG.md")
fi
export SOURCE_DATE_EPOCH

# configure LIBDIR: the two formats differ in where libraries go, and in nothing that is compiled.
configure() {
    (cd "$root" && cmake --preset package -B "$objects" -DYM_SLURM_SOURCE="$tree" \
        -DCMAKE_INSTALL_LIBDIR="$1" ${YM_PACKAGE_CONTACT:+"-DYM_PACKAGE_CONTACT=$YM_PACKAGE_CONTACT"} \
        ${YM_DEB_SLURM:+"-DYM_DEB_SLURM=$YM_DEB_SLURM"}) >"$objects/configure.log" 2>&1 ||
        { cat "$objects/configure.log" >&2; fail "cmake could not configure the packages"; }
}

# pack FORMAT LIBDIR
pack() {
    configure "$2"
    cmake --build "$objects" --parallel "${YM_JOBS:-$(nproc)}"
    rm -rf "${objects:?}/$1"
    (cd "$objects" && cpack -G "$1" -B "$objects/$1") >"$objects/$1.log" 2>&1 ||
        { cat "$objects/$1.log" >&2; fail "cpack could not make the $1 packages"; }
    mv "$objects/$1"/*."${1,,}" "$build/packages/"
    find "$objects/$1" -maxdepth 1 -name '*.ddeb' -exec mv -t "$build/packages/" {} +
}

main() {
    local version formats=0
    mkdir -p "$objects" "$build/packages"
    version=$(sed -n 's/^#define SLURM_VERSION_STRING "\([0-9.]*\).*/\1/p' "$tree/config.h" 2>/dev/null) || true
    [ -n "$version" ] || fail "$tree is no configured Slurm source tree: run ./configure in it"
    rm -f "$build/packages"/yardmaster-*-slurm"$version"[_-]*
    if command -v dpkg-shlibdeps >/dev/null; then
        pack DEB "lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)"
        formats=$((formats + 1))
    fi
    if command -v rpmbuild >/dev/null; then
        pack RPM lib64
        formats=$((formats + 1))
    fi
    [ "$formats" -gt 0 ] || fail "neither dpkg-shlibdeps (dpkg-dev) nor rpmbuild (rpm-build) is installed"
    ls "$build/packages"/yardmaster-*-slurm"$version"*
}

main
