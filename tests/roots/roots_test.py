"""The roots of other Debian releases: what is known, what is never half-made, what is never removed."""

import os
import pathlib
import subprocess

import pytest

HERE = pathlib.Path(__file__).resolve().parent
PRELUDE = f"""set -euo pipefail
say() {{ printf '==> %s\\n' "$*"; }}
fail() {{ printf 'dev: %s\\n' "$*" >&2; exit 1; }}
. {HERE}/roots.sh
"""
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="mounts need root")


def bash(script, *arguments, path=None, **env):
    return subprocess.run(["bash", "-c", PRELUDE + script, "bash", *map(str, arguments)], text=True,
                          capture_output=True, check=False, timeout=60,
                          env={**os.environ, **env, **({"PATH": path} if path else {})})


def system(root, text):
    (root / "etc").mkdir(parents=True)
    (root / "etc" / "os-release").write_text(text)
    return root


@pytest.mark.parametrize("text, series", [
    ("ID=debian\nVERSION_ID=12\n", "22.05"),
    ('ID=debian\nVERSION_ID="13"\n', "24.11"),
    ("ID=debian\n", ""),  # testing has no number
    ("ID=rocky\nVERSION_ID=13\n", ""),
])
def test_series_of_a_system(tmp_path, text, series):
    root = system(tmp_path, text)
    assert bash('series_of "$1" || true', root).stdout.strip() == series


def test_system_without_a_name_is_unknown(tmp_path):
    assert bash('system_of "$1"; series_of "$1" || echo none', tmp_path).stdout == "unknown\nnone\n"


def fake_debootstrap(folder, script):
    """A PATH whose debootstrap is this script."""
    program = folder / "bin" / "debootstrap"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n" + script)
    program.chmod(0o755)
    return f"{program.parent}:{os.environ['PATH']}"


MAKE = 'make_root 24.11 "$1"'
MIRROR = {"YM_DEBIAN_MIRROR": "http://mirror.test/debian"}


@as_root
def test_root_of_a_failed_debootstrap_is_not_there(tmp_path):
    path = fake_debootstrap(tmp_path, 'mkdir "$3/etc"; echo "no such mirror: $4"; exit 1\n')
    done = bash(MAKE, tmp_path / "roots" / "root", path=path, **MIRROR)
    assert done.returncode == 1
    assert "no such mirror: http://mirror.test/debian" in done.stderr
    assert "root.log" in done.stderr
    assert [entry.name for entry in (tmp_path / "roots").iterdir()] == ["root.log"]


@as_root
def test_root_gets_its_name_when_it_is_whole_and_leftovers_go(tmp_path):
    target = tmp_path / "roots" / "root"
    (tmp_path / "roots" / "root.new.killed" / "etc").mkdir(parents=True)
    path = fake_debootstrap(tmp_path, f'[ ! -e {target} ] || exit 1\n'
                            'mkdir -p "$3/etc/dpkg/dpkg.cfg.d"; echo "$2" >"$3/suite"\n')
    done = bash(MAKE, target, path=path, **MIRROR)
    assert done.returncode == 0, done.stderr
    assert (target / "suite").read_text() == "trixie\n"
    assert sorted(entry.name for entry in target.parent.iterdir()) == ["root", "root.log"]


def test_missing_debootstrap_names_the_remedy(tmp_path):
    done = bash("command() { return 1; }\n" + MAKE, tmp_path / "root")
    assert done.returncode == 1 and "./dev setup" in done.stderr


def test_missing_mirror_names_the_remedy(tmp_path):
    path = fake_debootstrap(tmp_path, "exit 1\n")
    done = bash("apt-get() { :; }\n" + MAKE, tmp_path / "root", path=path, YM_DEBIAN_MIRROR="")
    assert done.returncode == 1 and "YM_DEBIAN_MIRROR=" in done.stderr


@as_root
def test_nothing_is_removed_through_a_mount(tmp_path):
    kept, tree = tmp_path / "kept", tmp_path / "tree"
    at = tree / "root" / "a b"
    for folder in (kept, at):
        folder.mkdir(parents=True)
    (kept / "file").write_text("precious")
    # A mount namespace of its own: nothing is left mounted, whatever happens.
    done = subprocess.run(
        ["unshare", "--mount", "bash", "-c",
         PRELUDE + 'mount --bind "$1" "$2"; remove_tree "$3"', "bash", kept, at, tree],
        text=True, capture_output=True, check=False, timeout=60)
    if "permission denied" in done.stderr.lower():
        pytest.skip("no right to mount here")
    assert done.returncode == 1
    assert f"unmount {at} first" in done.stderr
    assert (kept / "file").read_text() == "precious"
    assert bash('remove_tree "$1"', tree).returncode == 0
    assert not tree.exists()


def in_root(*words):
    return subprocess.run([HERE / "in_root.sh", *map(str, words)], text=True, capture_output=True,
                          check=False, timeout=60)


@pytest.mark.skipif(os.geteuid() == 0, reason="this is root")
def test_only_root_enters():
    assert "needs root" in in_root("/", "--", "true").stderr


@as_root
def test_folder_that_is_no_system_is_refused(tmp_path):
    done = in_root(tmp_path, "--", "true")
    if "CAP_SYS_ADMIN" in done.stderr:
        pytest.skip("no right to mount here")
    assert done.returncode == 1 and f"{tmp_path}: no root of a system there" in done.stderr
