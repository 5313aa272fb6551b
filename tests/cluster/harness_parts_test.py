"""What the test cluster reads and makes up, without daemons."""

import os
import signal
import subprocess
import sys

import pytest

import daemons
import ports
import shape as shapes
import slurm_text

JOB = """JobId=3 JobName=wrap
   JobState=RUNNING Reason=None Dependency=(null)
   Requeue=1 Restarts=2 BatchFlag=1 Reboot=0 ExitCode=0:0
   NodeList=yard[01-02,05]
   JOB_GRES=gpu:h100:10
     Nodes=yard[01-02] CPU_IDs=0-7 Mem=8000 GRES=gpu:h100:4(IDX:0-3)
     Nodes=yard05 CPU_IDs=0 Mem=1000 GRES=gpu:h100:2(IDX:1,6)
   MinCPUsNode=1 MinMemoryCPU=1000M MinTmpDiskNode=0
   Features=h100 DelayBoot=00:00:00
   AdminComment=yardmaster: by=yardmaster tp=8 note=left leaf1 for leaf2
   WorkDir=/tmp/a b=c
"""


def test_job_record_is_read():
    job = slurm_text.parse_record(JOB)
    assert (job["JobState"], job["Restarts"], job["Features"]) == ("RUNNING", "2", "h100")
    assert job["AdminComment"] == "yardmaster: by=yardmaster tp=8 note=left leaf1 for leaf2"
    assert job["WorkDir"] == "/tmp/a b=c"
    assert sorted(job["NODES"]) == ["yard01", "yard02", "yard05"]
    assert job["NODES"]["yard05"]["Mem"] == "1000"


def test_records_are_separated():
    assert [job["JobId"] for job in slurm_text.parse_records(JOB + "\n" + JOB)] == ["3", "3"]


@pytest.mark.parametrize("gres, indices", [
    ("gpu:h100:4(IDX:0-3)", {0, 1, 2, 3}),
    ("gpu:2(IDX:1,6)", {1, 6}),
    ("gpu:h100:0(IDX:N/A)", set()),
    ("gpu:a:1(IDX:0),gpu:b:1(IDX:5),shard:2(IDX:7)", {0, 5}),
    ("", set()),
])
def test_gpu_indices(gres, indices):
    assert slurm_text.gpu_indices(gres) == indices


def test_hostlists_are_expanded():
    assert slurm_text.expand("yard[01-02,07],x1,b[9-10]") == ["yard01", "yard02", "yard07", "x1",
                                                             "b9", "b10"]
    assert slurm_text.expand("(null)") == []


def test_hostlist_of_names_is_read_back():
    names = shapes.scrambled(120)[:50]
    assert slurm_text.expand(shapes.hostlist(names)) == sorted(names)


def test_names_are_a_scrambled_complete_set():
    for count in (1, 2, 4, 16, 36, 100, 10000):
        names = shapes.scrambled(count)
        assert len(set(names)) == count
        assert names == shapes.scrambled(count)
    assert shapes.scrambled(16)[:4] != sorted(shapes.scrambled(16)[:4])


def test_default_shape():
    shape = shapes.servers()
    assert len(shape.nodes) == 16 and len(shape.leaves) == 4
    assert shape.nodes == sorted(shape.nodes)
    node = shape.leaf("leaf3")[0]
    assert (shape.leaf_of(node), shape.pod_of(node), shape.domain_of(node)) == ("leaf3", "pod2",
                                                                              node)
    assert sorted(shape.pod("pod2")) == sorted(shape.leaf("leaf3") + shape.leaf("leaf4"))


def test_default_shape_leaves_are_apart_in_name_order():
    shape = shapes.servers()
    assert len({shape.leaf_of(node) for node in shape.nodes[:4]}) > 1


def test_racks_may_be_uneven():
    shape = shapes.nvl72(present=[16, 17, 18])
    assert [len(nodes) for nodes in shape.domains.values()] == [16, 17, 18]
    assert shape.gpus == 4 and shape.domain_of(shape.leaf("leaf2")[3]) == "rack2"


def test_large_shape_has_the_count_asked_for():
    shape = shapes.large(1000)
    assert len(shape.nodes) == 1000
    assert len(shape.leaves[-1].nodes) == 1000 % 32


def test_shapes_of_the_command_line():
    assert len(shapes.parse("1x2x3x4").nodes) == 6 and shapes.parse("1x2x3x4").gpus == 4
    assert len(shapes.parse("nvl72x3").domains) == 3


def test_port_blocks_do_not_overlap():
    first, second = ports.free_block(20), ports.free_block(20)
    assert abs(first - second) >= 20


def test_port_blocks_are_held_while_their_process_lives(tmp_path, monkeypatch):
    monkeypatch.setattr(ports, "_CLAIMS", tmp_path / "claims")
    first = ports.free_block(20)
    (claim,) = (tmp_path / "claims").glob("*-20")
    os.utime(claim, (0, 0))  # made long ago; the ports are free, as while a daemon restarts
    assert ports.free_block(20) != first
    gone = subprocess.Popen(["true"])
    gone.wait()
    claim.write_text(str(gone.pid), encoding="ascii")
    os.utime(claim, (0, 0))
    assert ports.free_block(20) == first


def test_processes_are_found_by_mark_and_descent(tmp_path):
    script = "env -i sleep 60 & wait"  # the child has no mark of its own
    with subprocess.Popen(["bash", "-c", script], env={**os.environ, daemons.MARKER: str(tmp_path)}):
        try:
            while len(daemons.marked(tmp_path)) < 2:
                pass
        finally:
            daemons.kill_marked(tmp_path)
    assert not daemons.marked(tmp_path)


def test_pid_file_of_another_process_is_not_believed(tmp_path):
    for name in ("run", "log"):
        (tmp_path / name).mkdir()
    daemon = daemons.Daemon(tmp_path, "sleeper")
    daemon.start([sys.executable, "-c", "import time; time.sleep(60)"])
    pid = daemon.pid()
    assert daemons.Daemon(tmp_path, "sleeper").pid() == pid  # from the file alone
    daemon.stop(signal.SIGKILL)
    (tmp_path / "run" / "sleeper.started").write_text(f"{os.getpid()} 1\n")
    assert daemon.pid() is None
