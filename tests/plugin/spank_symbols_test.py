"""What spank_yardmaster takes from Slurm's processes and what it shows to them."""

import glob
import os

import pytest

from nm import libraries, output_of, symbols
from symbols_test import slurm_library

pytestmark = pytest.mark.installed

# Everything that loads a plugstack: the commands at init, slurmd for prologs, slurmstepd for steps.
HOSTS = [path for name in ("slurmd", "slurmstepd", "srun", "sbatch", "salloc")
         for path in glob.glob(f"/usr/*bin/{name}")]


@pytest.fixture(scope="module")
def plugin(plugin_folder):
    return os.path.join(plugin_folder, "spank_yardmaster.so")


def test_only_spanks_interface_is_exported(plugin):
    assert set(symbols(plugin, "--defined-only")) == {
        "plugin_name", "plugin_type", "plugin_version", "spank_plugin_version",
        "slurm_spank_job_prolog", "slurm_spank_job_epilog", "slurm_spank_task_init"}


@pytest.mark.parametrize("host", HOSTS)
def test_every_undefined_symbol_is_defined_in_its_host(plugin, host):
    offered = set()
    for file in {host, slurm_library(), *libraries(host), *libraries(plugin)}:
        offered |= set(symbols(file, "--defined-only"))
    undefined = symbols(plugin, "--undefined-only")
    optional = {name for name, letter in undefined.items() if letter == "w" and name[0] == "_"}
    assert "spank_setenv" in undefined, "the scan sees nothing"
    assert sorted(set(undefined) - optional - offered) == []


def test_it_brings_no_libraries_but_those_of_the_language(plugin):
    names = {os.path.basename(path).split(".so")[0] for path in libraries(plugin)}
    assert names <= {"libstdc++", "libgcc_s", "libm", "libc", "ld-linux-x86-64", "ld-linux-aarch64"}


def test_its_type_is_spank(plugin):
    program = ("import ctypes, os, sys; ctypes.CDLL(sys.argv[1], ctypes.RTLD_GLOBAL); "
               "p = ctypes.CDLL(sys.argv[2], os.RTLD_LAZY); "
               "print(ctypes.c_char_p(ctypes.addressof(ctypes.c_char.in_dll(p, 'plugin_type')))"
               ".value.decode())")
    assert output_of("/usr/bin/python3", "-c", program, slurm_library(), plugin).strip() == "spank"
