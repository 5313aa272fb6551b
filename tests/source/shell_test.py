"""What users say to a prolog through their job's environment reaches no shell: the programs that run on
nodes cannot start one, nor anything else that PATH would choose."""

import os
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("YM_BUILD_DIR") or ROOT / "build")
PROGRAMS = ["prolog/yardmaster-prolog", "healthcheck/rdma/probe/yardmaster-rdma-probe",
            "healthcheck/nccl/probe/yardmaster-nccl-probe"]
# execve alone is left: a whole path, and the environment that the caller makes.
BY_SHELL_OR_PATH = re.compile(r"system|popen|wordexp|execl\w*|execvp\w*|execv|posix_spawn\w*")


def needed(program):
    """The functions that the program takes from libraries."""
    listed = subprocess.run(["nm", "-D", "--undefined-only", BUILD / program], check=True,
                            capture_output=True, text=True).stdout
    return {line.split()[-1].split("@")[0] for line in listed.splitlines()}


@pytest.mark.parametrize("program", PROGRAMS)
def test_program_cannot_start_a_shell(program):
    if not (BUILD / program).exists():
        pytest.skip(f"{program} is not built")
    functions = needed(program)
    assert "write" in functions, "these are not its functions"
    assert [name for name in sorted(functions) if BY_SHELL_OR_PATH.fullmatch(name)] == []


def test_prolog_executes_whole_paths_only():
    assert "execve" in needed(PROGRAMS[0])
