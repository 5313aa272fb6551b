"""Benchmarks of decisions on real daemons: what they need to run, and clusters that are timed."""

import pathlib
import shutil
import sys
import tempfile

import conf
import timing
import ymcluster


def run(name, measure):
    """Calls measure(directory, timer): `directory` is an empty folder for clusters, removed
    afterwards, and `timer` the plugin folder that timed.cluster() wants. Returns the exit code:
    measure's, or 1 when daemons or the timing plugin are missing, which is told as `name`.
    """
    available, why = ymcluster.available()
    timer = conf.find_built("ym_decision_timer.so")
    if not available or timer is None:
        print(f"{name}: {why or 'no ym_decision_timer.so in ' + str(conf.build_dir())}",
              file=sys.stderr)
        return 1
    directory = pathlib.Path(tempfile.mkdtemp(prefix="ym-bench-", dir="/tmp"))
    directory.chmod(0o755)
    try:
        folder = directory / "timer"
        folder.mkdir()
        shutil.copy(timer, folder / "select_cons_tres.so")
        return measure(directory, folder)
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def cluster(folder, shape, timer, ours, topology, scheduler):
    """A Cluster of CLOUD nodes in `folder`, not started, with the timing plugin in front of stock's
    select plugin, or of ours; and its TimingFile. `scheduler`: the line SchedulerParameters=.
    """
    # Each plugin stands in front of the one in the next folder.
    folders = [timer, *([folder / "plugins"] if ours else []), conf.slurm_plugin_dir()]
    built = ymcluster.Cluster(
        folder, shape, cloud=True, plugin=ours, topology=topology,
        extra=("PluginDir=" + ":".join(map(str, folders)), scheduler, "ResumeRate=0"),
        ctld_env={"YM_TIMING_FILE": str(folder / "timing")})
    return built, timing.TimingFile(folder / "timing")
