"""What the built plugins take from slurmctld and what they show to it.

slurmctld binds plugins lazily: a symbol that nobody defines is an abort at the first call, days
after the start. So every undefined symbol is looked up here.
"""

import fnmatch
import glob
import os

import pytest

from nm import libraries, output_of, symbols

pytestmark = pytest.mark.installed

SLURMCTLD = "/usr/sbin/slurmctld"
PLUGINS = {
    "select_cons_tres.so": {
        "type": b"select/cons_tres",
        "exports": ["init", "fini", "plugin_name", "plugin_type", "plugin_version", "plugin_id",
                    "select_p_*"],
    },
    "job_submit_yardmaster.so": {
        "type": b"job_submit/yardmaster",
        "exports": ["init", "fini", "plugin_name", "plugin_type", "plugin_version", "job_submit",
                    "job_modify"],
    },
}


def slurm_library():
    return glob.glob("/usr/lib*/*/slurm*/libslurmfull.so")[0]


@pytest.fixture(scope="session")
def slurmctlds():
    """Whatever slurmctld offers to the plugins that it loads."""
    offered = set()
    for file in {SLURMCTLD, slurm_library(), *libraries(SLURMCTLD)}:
        offered |= set(symbols(file, "--defined-only"))
    return offered


@pytest.fixture(params=sorted(PLUGINS))
def plugin(request, plugin_folder):
    return os.path.join(plugin_folder, request.param)


def expected(plugin):
    return PLUGINS[os.path.basename(plugin)]


def test_every_undefined_symbol_is_defined_in_slurmctld(plugin, slurmctlds):
    offered = set(slurmctlds)
    for file in libraries(plugin):
        offered |= set(symbols(file, "--defined-only"))
    undefined = symbols(plugin, "--undefined-only")
    # 'w': the C runtime's own hooks (__gmon_start__, _ITM_*), which nobody need define. Slurm's
    # data that commands lack are weak too, and slurmctld must have them.
    optional = {name for name, letter in undefined.items() if letter == "w" and name[0] == "_"}
    assert undefined
    assert sorted(set(undefined) - optional - offered) == []


def test_slurms_own_symbols_are_really_looked_up(plugin, slurmctlds):
    """Guards the test above: the plugin does lean on slurmctld, and the scan sees it."""
    own = set()
    for file in libraries(plugin):
        own |= set(symbols(file, "--defined-only"))
    assert (set(symbols(plugin, "--undefined-only")) - own) & slurmctlds


def test_nothing_of_ours_is_undefined(plugin):
    undefined = symbols(plugin, "--undefined-only")
    ours = [name for name in undefined if "10yardmaster" in name or name.startswith("ym_")]
    assert ours == []


def test_benchmarks_plugin_has_every_hook():
    """It stands on the same C entry and has hooks of its own: one that is new is easily forgotten."""
    timer = os.path.join(os.environ["YM_BUILD_DIR"], "bench", "decision", "ym_decision_timer.so")
    if not os.path.exists(timer):
        pytest.skip("the benchmarks are not built")
    assert [name for name in symbols(timer, "--undefined-only") if name.startswith("ym_")] == []


def test_only_the_plugin_interface_is_exported(plugin):
    allowed = expected(plugin)["exports"]
    exported = symbols(plugin, "--defined-only")
    strange = [name for name in exported
               if not any(fnmatch.fnmatchcase(name, pattern) for pattern in allowed)]
    assert strange == []
    missing = [pattern for pattern in allowed if not fnmatch.filter(exported, pattern)]
    assert missing == []


def test_every_operation_of_stock_is_exported(plugin):
    """Slurm refuses a select plugin that lacks one."""
    stock = os.path.join(os.path.dirname(slurm_library()), os.path.basename(plugin))
    if not os.path.exists(stock):
        assert os.path.basename(plugin) == "job_submit_yardmaster.so"
        return
    wanted = {name for name in symbols(stock, "--defined-only") if name.startswith("select_p_")}
    assert wanted
    assert wanted <= set(symbols(plugin, "--defined-only"))


def test_plugin_type(plugin):
    # Loading binds functions lazily but data at once: a child, with slurmctld's data absent.
    program = ("import ctypes, sys; ctypes.CDLL(sys.argv[1], ctypes.RTLD_GLOBAL); "
               "p = ctypes.CDLL(sys.argv[2]); "
               "print(ctypes.c_char_p(ctypes.addressof(ctypes.c_char.in_dll(p, 'plugin_type')))"
               ".value.decode())")
    printed = output_of("/usr/bin/python3", "-c", program, slurm_library(), plugin)
    assert printed.strip().encode() == expected(plugin)["type"]
