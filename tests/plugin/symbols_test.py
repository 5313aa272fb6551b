"""Our plugins' symbols against those of the Slurm that loads them.

Slurm binds lazily: a function that nobody has would end slurmctld only at its first call.
"""

import os
import pathlib
import subprocess

import pytest

BUILD = pathlib.Path(os.environ.get("YM_BUILD_DIR") or
                     pathlib.Path(__file__).resolve().parents[2] / "build")
FOLDER = BUILD / "lib" / "yardmaster"
SLURMCTLD = pathlib.Path("/usr/sbin/slurmctld")
EXPORTS = {
    "select_cons_tres.so": {"init", "fini", "plugin_name", "plugin_type", "plugin_version",
                            "plugin_id"},
    "job_submit_yardmaster.so": {"init", "fini", "plugin_name", "plugin_type", "plugin_version",
                                 "job_submit", "job_modify"},
}

if not SLURMCTLD.exists() or not FOLDER.exists():
    print("ALL SKIPPED: slurmctld is not installed or the plugins are not built")
    pytest.skip("slurmctld is not installed or the plugins are not built", allow_module_level=True)


def symbols(path, *which):
    """{name: type letter} of a file's dynamic symbols."""
    printed = subprocess.run(["nm", "-D", *which, path], check=True, capture_output=True, text=True)
    pairs = [line.split()[-2:] for line in printed.stdout.splitlines()]
    return {name.partition("@")[0]: letter for letter, name in pairs}


def libraries(path):
    """The shared libraries that `path` is loaded with."""
    printed = subprocess.run(["ldd", path], check=True, capture_output=True, text=True).stdout
    return [word for line in printed.splitlines() for word in line.split() if word.startswith("/")]


@pytest.mark.parametrize("plugin", EXPORTS)
def test_every_symbol_is_found_in_slurmctld(plugin):
    known = set()
    for path in [SLURMCTLD, *libraries(SLURMCTLD), *libraries(FOLDER / plugin)]:
        known |= set(symbols(path, "--defined-only"))
    wanted = symbols(FOLDER / plugin, "--undefined-only")
    weak = {name for name, letter in wanted.items() if letter in "wv"} - {
        "job_list", "node_record_table_ptr", "node_record_count"}  # weak for commands' sake only
    assert len(wanted) > 20
    assert set(wanted) - weak - known == set()


@pytest.mark.parametrize("plugin", EXPORTS)
def test_nothing_but_the_plugin_interface_is_visible(plugin):
    defined = {name for name in symbols(FOLDER / plugin, "--defined-only")
               if not name.startswith("select_p_")}
    assert defined == EXPORTS[plugin]


def test_every_operation_of_the_stock_plugin_is_there():
    stock = next(path for path in pathlib.Path("/usr/lib").glob("*/slurm-wlm/select_cons_tres.so"))
    operations = {name for name in symbols(stock, "--defined-only") if name.startswith("select_p_")}
    ours = set(symbols(FOLDER / "select_cons_tres.so", "--defined-only"))
    assert len(operations) > 30 and operations <= ours
