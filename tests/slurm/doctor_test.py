"""`yardmaster doctor` on a real cluster: silent where all is well, and ahead of Slurm where it is not."""

import json
import os
import signal
import struct
import subprocess

import conf
import pytest

NODE = "yard03"


@pytest.fixture(scope="module")
def cluster(new_cluster):
    return new_cluster(plugin=True, sim=True, prolog=str(conf.find_built("yardmaster-prolog")))


@pytest.fixture(autouse=True)
def as_new(cluster):
    yield
    cluster.write_conf()  # the plugins, too
    if cluster.ctld_pid() is None:
        cluster.start_ctld()


def run_doctor(cluster, *words, slurm_conf=None):
    env = {**os.environ, **cluster.env()}
    env |= {"SLURM_CONF": str(slurm_conf)} if slurm_conf else {}
    return subprocess.run([conf.find_built("yardmaster"), "doctor", *words], env=env, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)


def doctor(cluster, *words, slurm_conf=None):
    """What it found: {check: [finding, ...]}, worst first."""
    done = run_doctor(cluster, *words, "--json", slurm_conf=slurm_conf)
    assert done.returncode in (0, 1), done.stderr
    report = json.loads(done.stdout)
    assert (done.returncode == 0) == (report["errors"] + report["warnings"] == 0)
    found = {}
    for severity in ("error", "warning", "not checked", "note", "ok"):
        for finding in report["findings"]:
            if finding["severity"] == severity:
                found.setdefault(finding["check"], []).append(finding)
    return found


def severity(found, check):
    return found[check][0]["severity"]


def errors(found):
    return [finding for findings in found.values() for finding in findings
            if finding["severity"] == "error"]


def changed_conf(cluster, key, line):
    """A slurm.conf beside the cluster's, with `line` in the place of `key`; the cluster's stays."""
    path = cluster.conf.etc / "changed.conf"
    lines = (cluster.conf.etc / "slurm.conf").read_text().splitlines()
    kept = [text for text in lines if text.partition("=")[0] != key]
    assert len(kept) < len(lines)
    path.write_text("\n".join(([line] if line else []) + kept) + "\n")
    return path


def symbol_offset(content, name):
    """Where the data of a dynamic symbol stands in a 64-bit ELF file."""
    phoff, shoff = struct.unpack_from("<QQ", content, 32)
    phnum, shnum = (struct.unpack_from("<H", content, at)[0] for at in (56, 60))
    sections = [struct.unpack_from("<IIQQQQIIQQ", content, shoff + 64 * i) for i in range(shnum)]
    for kind, at, size, link in ((s[1], s[4], s[5], s[6]) for s in sections):
        if kind != 11:  # SHT_DYNSYM
            continue
        strings = sections[link][4]
        for entry in range(at, at + size, 24):
            word, _, _, section, address, _ = struct.unpack_from("<IBBHQQ", content, entry)
            begin = strings + word
            if section and content[begin:content.index(b"\0", begin)] == name.encode():
                for i in range(phnum):
                    kind, _, offset, base, _, held, _, _ = struct.unpack_from(
                        "<IIQQQQQQ", content, phoff + 56 * i)
                    if kind == 1 and base <= address < base + held:  # PT_LOAD
                        return offset + address - base
    raise AssertionError(f"no symbol {name}")


def make_next_micro(plugin):
    """Gives a plugin file the version of Slurm's next micro. Replaced, not written: slurmctld has the
    old file open. Returns the version, as Slurm prints it."""
    content = bytearray(plugin.read_bytes())
    at = symbol_offset(content, "plugin_version")
    version = struct.unpack_from("<I", content, at)[0] + 1
    struct.pack_into("<I", content, at, version)
    other = plugin.with_suffix(".new")
    other.write_bytes(content)
    os.replace(other, plugin)
    return f"{version >> 16}.{version >> 8 & 255:02}.{version & 255}"


def test_healthy_controller_and_node_have_no_errors(cluster):
    found = doctor(cluster, "--node", NODE)
    assert errors(found) == []
    for check in ("slurm-conf", "conf-in-force", "slurmctld", "slurmd", "munge", "plugin-folder",
                  "plugin-order", "plugin-version", "plugstack", "select-type", "job-submit",
                  "prolog-flags", "prolog-requeue", "prolog-timeout", "prolog", "prolog-file",
                  "policy", "nvml", "adapters", "gpu-files", "dry-run", "fabric-node"):
        assert severity(found, check) == "ok", found[check]
    assert severity(found, "simulated") == "warning"  # the only thing that is wrong with it


def test_clock_of_a_node_is_held_against_slurmctlds(cluster):
    assert severity(doctor(cluster, "node", "--node", NODE), "clock") == "ok"
    assert severity(doctor(cluster, "controller"), "clock") == "not checked"


def test_degraded_node_is_told_without_a_drain(cluster):
    cluster.sim(NODE, "set-rate", "mlx5_3", 100)
    try:
        found = doctor(cluster, "node", "--node", NODE)
        assert severity(found, "dry-run") == "error"
        assert "mlx5_3" in found["dry-run"][0]["text"]
        assert "drain" not in cluster.command("sinfo", "-h", "-n", NODE, "-o", "%T")
    finally:
        cluster.sim(NODE, "heal")
    assert severity(doctor(cluster, "node", "--node", NODE), "dry-run") == "ok"


@pytest.mark.parametrize("key, line, check, severity_then", [
    ("PrologFlags", "PrologFlags=Alloc", "prolog-flags", "error"),
    ("PrologFlags", "", "prolog-flags", "error"),
    ("SchedulerParameters", "SchedulerParameters=bf_interval=1", "prolog-requeue", "warning"),
    ("SelectType", "SelectType=select/linear", "select-type", "error"),
    ("JobSubmitPlugins", "", "job-submit", "error"),
    ("Prolog", "Prolog=/gone/prolog", "prolog-file", "error"),
    ("GresTypes", "", "gres-types", "error"),
])
def test_settings_are_judged_before_they_are_in_force(cluster, key, line, check, severity_then):
    path = changed_conf(cluster, key, line)
    found = doctor(cluster, "--node", NODE, slurm_conf=path)
    assert severity(found, check) == severity_then
    assert found[check][0]["remedy"]


def test_missing_plugin_folder_is_told_where_slurm_itself_ends(cluster):
    folders = f"{cluster.conf.plugins}:{cluster.directory}/gone:{conf.slurm_plugin_dir()}"
    path = changed_conf(cluster, "PluginDir", f"PluginDir={folders}")
    env = {**os.environ, **cluster.env(), "SLURM_CONF": str(path)}
    assert subprocess.run(["sinfo"], env=env, check=False, capture_output=True).returncode != 0
    found = doctor(cluster, "controller", slurm_conf=path)
    assert severity(found, "plugin-folder") == "error"
    assert f"mkdir -p {cluster.directory}/gone" in found["plugin-folder"][0]["remedy"]
    assert severity(found, "slurmctld") == "error"  # libslurm ends over this file, doctor does not
    assert severity(found, "select-type") == "ok"


def start_log(cluster):
    """Restarts slurmctld; whether it came up, and what it logged meanwhile."""
    cluster.kill_ctld(signal.SIGTERM)
    before = len(cluster.log())
    try:
        cluster.start_ctld()
        up = True
    except RuntimeError:
        up = False
    return up, cluster.log()[before:]


def refusals(log, version):
    return [line for line in log.splitlines()
            if "Incompatible Slurm plugin" in line and version in line]


def test_job_submit_for_another_micro_is_told_before_slurmctld_refuses_to_start(cluster):
    version = make_next_micro(cluster.conf.plugins / "job_submit_yardmaster.so")
    found = doctor(cluster, "controller")
    assert [(e["check"], e["value"]) for e in errors(found)] == [("plugin-version", version)]
    assert "slurmctld does not start" in found["plugin-version"][0]["text"]
    up, log = start_log(cluster)
    assert not up
    assert refusals(log, version)
    found = doctor(cluster, "controller")  # now slurmctld is down, and the reason is still told
    assert {e["check"] for e in errors(found)} == {"slurmctld", "plugin-version"}


def test_select_for_another_micro_is_told_before_slurmctld_passes_it_over(cluster):
    version = make_next_micro(cluster.conf.plugins / "select_cons_tres.so")
    found = doctor(cluster, "controller")
    assert [(e["check"], e["value"]) for e in errors(found)] == [("plugin-version", version)]
    assert "passes it over" in found["plugin-version"][0]["text"]
    up, log = start_log(cluster)
    assert up
    assert refusals(log, version)
    job = cluster.wait_running(cluster.sbatch("-N2 --gpus-per-node=8"))
    assert cluster.admin_comment(job) in ("", "(null)")  # no receipt: Slurm's own plugin placed it
    cluster.cancel(job)
    cluster.write_conf()
    assert start_log(cluster)[0]


def test_slurmctld_that_is_down_hides_nothing_else(cluster):
    cluster.kill_ctld(signal.SIGTERM)
    done = run_doctor(cluster, "controller")
    assert done.returncode == 1
    assert "alone: slurmctld does not answer" in done.stdout
    assert "\nerror: slurmctld: " in done.stdout
    assert "prolog-flags" in done.stdout
