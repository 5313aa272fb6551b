"""The bash completion, run by bash as readline runs it."""

import subprocess

import pytest
from conftest import BUILD

DRIVER = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_yardmaster
[ "${#COMPREPLY[@]}" = 0 ] || printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture
def complete(tmp_path):
    """complete(WORD...) -> what is offered for the last word; Slurm's commands are stubs."""
    stubs = tmp_path / "bin"
    stubs.mkdir()
    for name, output in (("sinfo", "yard01\nyard02\nyard02\nlogin1\n"),
                         ("squeue", "17\n18_[1-3]\n18_4\n19+1\n")):
        stub = stubs / name
        stub.write_text(f"#!/bin/sh\nprintf '{output}'\n")
        stub.chmod(0o755)
    files = tmp_path / "files"
    (files / "folder").mkdir(parents=True)
    (files / "fabric.json").touch()
    (files / "fabric two.json").touch()

    def run(*words, path=f"{stubs}:/usr/bin:/bin"):
        done = subprocess.run(["bash", "--norc", "--noprofile", "-c", DRIVER, "bash",
                               BUILD / "completion/yardmaster", "yardmaster", *words],
                              text=True, capture_output=True, check=True, cwd=files,
                              env={"PATH": path})
        assert done.stderr == ""
        return done.stdout.splitlines()
    return run


@pytest.mark.parametrize("words, offered", [
    ([""], {"fabric", "plan", "explain", "drains", "check"}),
    (["ex"], {"explain"}),
    (["--v"], {"--version"}),
    (["fabric", ""], {"check", "status"}),
    (["fabric", "check", "fab"], {"fabric.json", "fabric two.json"}),
    (["fabric", "check", "--l"], {"--live"}),
    (["plan", "fo"], {"folder"}),
    (["plan", "f.json", "--no"], {"--nodes", "--nodelist"}),
    (["plan", "f.json", "-N", ""], set()),
    (["plan", "f.json", "-N", "8", "--hints", "r"], {"rail"}),
    (["plan", "f.json", "--hints", "tp8&l"], {"tp8&leaf"}),
    (["plan", "f.json", "--busy", "yard01,ya"], {"yard01,yard01", "yard01,yard02"}),
    (["explain", ""], {"17", "18_4", "19+1"}),
    (["explain", "17", "--fabric", "=", "fabric."], {"fabric.json"}),
    (["explain", "17", "--fabric", "="], {"fabric.json", "fabric two.json", "folder"}),
    (["drains", "--evidence-dir", ""], {"folder"}),
    (["check", "--node", "lo"], {"login1"}),
    (["check", "--json", "--p"], {"--policy"}),
    (["doctor", ""], {"controller", "node"}),
    (["doctor", "--node", "lo"], {"login1"}),
    (["nonsense", ""], {"fabric", "plan", "explain", "drains", "check"}),
])
def test_offers(complete, words, offered):
    got = complete(*words)
    assert len(got) == len(set(got))
    # Later commands may add words of their own.
    open_ended = words[0] in ("", "nonsense") or words == ["fabric", ""]
    assert offered <= set(got) if open_ended else set(got) == offered


def test_without_slurm_nothing_is_offered(complete):
    assert complete("explain", "", path="/usr/bin-without-slurm:/bin") == []
