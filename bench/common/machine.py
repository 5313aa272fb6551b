"""What a benchmark ran on, for the heading of its report."""

import os
import pathlib
import platform
import subprocess

import conf


def _processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(": ")[2]
    return platform.machine()


def described():
    """Slurm and the machine, in two lines, and what is simulated, in a third."""
    slurm = subprocess.run(["/usr/sbin/slurmctld", "-V"], text=True, check=True,
                           stdout=subprocess.PIPE).stdout.strip()
    return (
        f"{slurm} in {conf.slurm_plugin_dir()}.\n"
        f"Machine: {_processor()}, {os.cpu_count()} CPUs, load {os.getloadavg()[0]:.1f}.\n"
        "Simulated: CLOUD nodes with no slurmd behind them. slurmctld places jobs on them for real."
    )
