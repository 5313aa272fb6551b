"""The man pages, as built: readable without a warning, the same whenever they are made."""

import shutil
import subprocess

import pytest
from conftest import BUILD

PAGES = ["yardmaster.1", "yardmaster-prolog.8", "yardmaster-rdma-probe.8", "yardmaster-crossnode-probe.8",
         "yardmaster-nccl-probe.8", "yardmaster.json.5", "yardmaster-fabric.json.5"]
if not (BUILD / "healthcheck/nccl/probe/yardmaster-nccl-probe").exists():  # YM_NCCL=OFF
    PAGES.remove("yardmaster-nccl-probe.8")

needs_man = pytest.mark.skipif(shutil.which("man") is None, reason="man is not installed (man-db)")


def man(page, *options):
    return subprocess.run(["man", "--warnings", "-l", *options, BUILD / "man" / page], text=True,
                          capture_output=True, check=False,
                          env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "MANWIDTH": "80",
                               "MANPAGER": "cat"})


def formatted(page):
    """As lintian has it formatted."""
    return man(page, "-E", "UTF-8", "-Tutf8", "-Z")


def test_all_pages_are_built():
    assert set(PAGES) <= {path.name for path in (BUILD / "man").iterdir()}


@needs_man
@pytest.mark.parametrize("page", PAGES)
def test_page_has_no_warnings(page):
    done = formatted(page)
    assert (done.returncode, done.stderr) == (0, "")


@needs_man
def test_a_broken_page_has_warnings(tmp_path):
    broken = tmp_path / "broken.1"
    broken.write_text('.TH B 1\n.SH NAME\nb \\- c\n.nosuchrequest\n')
    assert "nosuchrequest" in formatted(broken).stderr


@needs_man
@pytest.mark.parametrize("page, words", [
    ("yardmaster.1", ["yardmaster explain", "--gpus-per-node", "SLURM_CONF", "/etc/slurm/fabric.json"]),
    ("yardmaster-prolog.8", ["SLURM_JOB_GPUS", "PrologFlags=Alloc,DeferBatch", "EXIT STATUS"]),
    ("yardmaster-rdma-probe.8", ["[PORT...]", "--latency-writes", "Exit status: 0"]),
    ("yardmaster-crossnode-probe.8", ["--munge-socket", "third party", "PORT,RAIL"]),
    ("yardmaster-nccl-probe.8", ["GPU...", "--max-init-s", "cuda.h"]),
    ("yardmaster.json.5", ["health.breaker.window_s", "default 3600"]),
    ("yardmaster-fabric.json.5", ["nvlink_domains", '"oversubscription": 2']),
])
def test_page_says(page, words):
    if page not in PAGES:
        pytest.skip("not built: YM_NCCL=OFF")
    text = man(page).stdout
    for word in words:
        assert word in text, word


@pytest.mark.parametrize("page", PAGES)
def test_page_bears_no_date(page):
    title = next(line for line in (BUILD / "man" / page).read_text().splitlines()
                 if line.startswith(".TH"))
    assert title.split()[3] == '""'
