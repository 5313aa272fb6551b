"""The operations that Slurm looks up by name, as the source tree at hand lists them, against what the
plugins built for it export. Needs no installed Slurm. That the functions' types agree is checked when
the plugins are compiled (plugin/abi/select_signature.c)."""

import os
import re

import pytest

import nm

PLUGINS = {
    "select_cons_tres.so": "node_select_syms",
    "job_submit_yardmaster.so": "syms",
}
FOLDERS = {
    "node_select_syms": ["src/common/select.c", "src/interfaces/select.c"],
    "syms": ["src/slurmctld/job_submit.c", "src/interfaces/job_submit.c"],
}
# What every plugin of Slurm exports besides its operations.
COMMON = {"init", "fini", "plugin_name", "plugin_type", "plugin_version"}


def listed_in(tree, table):
    """The strings of the C array `table`, wherever in the tree it is today."""
    for name in FOLDERS[table]:
        path = os.path.join(tree, name)
        if not os.path.exists(path):
            continue
        with open(path, encoding="utf-8") as file:
            found = re.search(r"char \*" + table + r"\[\] = \{(.*?)\n\};", file.read(), re.DOTALL)
        if found:
            return re.findall(r'"(\w+)"', found.group(1))
    return []


@pytest.mark.parametrize("plugin,table", PLUGINS.items())
def test_exports_are_exactly_what_this_slurm_looks_up(plugin, table, slurm_tree, plugin_folder):
    wanted = listed_in(slurm_tree, table)
    assert wanted, f"{slurm_tree} holds no table {table}"
    exported = set(nm.symbols(os.path.join(plugin_folder, plugin), "--defined-only"))
    assert exported - COMMON == set(wanted)
    assert COMMON <= exported


def test_the_timing_plugin_of_the_benchmark_exports_the_same(slurm_tree):
    timer = os.path.join(os.environ["YM_BUILD_DIR"], "bench", "decision", "ym_decision_timer.so")
    if not os.path.exists(timer):
        pytest.skip("the benchmarks are not built")
    exported = set(nm.symbols(timer, "--defined-only"))
    assert exported - COMMON == set(listed_in(slurm_tree, "node_select_syms"))
