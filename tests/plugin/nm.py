"""What an object file defines and needs."""

import re
import subprocess


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def symbols(file, *options):
    """name -> nm's letter, versions cut off."""
    found = {}
    for line in output_of("nm", "-D", *options, file).splitlines():
        letter, name = line.split()[-2:]
        found[name.split("@")[0]] = letter
    return found


def libraries(file):
    """The files that the loader brings in with `file`, those of Slurm among them."""
    return re.findall(r"(/\S+) \(0x", output_of("ldd", file))
