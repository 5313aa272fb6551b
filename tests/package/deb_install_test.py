"""The .deb on a clean Debian: install, upgrade, remove, purge, what they leave alone, and that what is
installed works with no build folder."""

import re

import pytest

import conf
import debs
import roots

CONFIG = {
    "/etc/slurm/slurm.conf": "ClusterName=yard\n# the admin's words\n",
    "/etc/slurm/fabric.json": '{"version": 1}\n',
    "/etc/slurm/yardmaster.json": '{"health": {"enforce": false}}\n',
    "/var/lib/yardmaster/evidence/yard01-10-1796082258.json": '{"verdict": "degraded"}\n',
}
SLURM = ("slurmctld", "slurmd", "slurm-client", "slurm-wlm-basic-plugins")
TESTS = roots.HERE.parent


def shown(deb):
    """The path of a built .deb in a root."""
    return f"/packages/{deb.name}"


def ours(packages):
    """The files and folders that our packages alone have."""
    paths = {path.rstrip("/") for part in debs.PARTS for _, _, path in debs.entries(packages.deb(part))}
    return {path for path in paths if "yardmaster" in path}


def state(root, packages, part):
    """dpkg's word for our package: "install ok installed", ...; and its version."""
    return root.try_run("dpkg-query", "-W", "-f", "${Status} ${Version}", packages.name(part)).stdout


@pytest.fixture(scope="module")
def host(new_root, packages):
    """A host that an admin has configured; then our packages, and all else they need from Debian."""
    root = new_root()
    for path, text in CONFIG.items():
        root.write(path, text)
    root.run("sh", "-c", "printf '#!/bin/sh\\nexit 101\\n' >/usr/sbin/policy-rc.d; "
             "chmod 755 /usr/sbin/policy-rc.d")  # Slurm's own packages would start its daemons
    root.apt("update")
    root.install(*(shown(packages.deb(part)) for part in debs.PARTS))
    root.found = root.snapshot()
    return root


@pytest.fixture(scope="module")
def without(host, new_root, packages):
    """The same host after our packages were removed."""
    root = new_root(host)
    done = root.apt("remove", *map(packages.name, debs.PARTS))
    assert done.returncode == 0, done.stdout
    root.found = root.snapshot()
    return root


def test_install_brings_what_the_programs_need(host, packages):
    for program in ("/usr/bin/yardmaster", "/usr/libexec/yardmaster/yardmaster-prolog"):
        assert packages.version in host.run(program, "--version")


def test_slurms_own_files_are_untouched(host):
    assert host.run("dpkg", "--verify", *SLURM) == ""
    folder = host.run("sh", "-c", "echo /usr/lib/*/slurm-wlm").strip()
    owners = host.run("sh", "-c", f"dpkg-query -S {folder}/*")
    assert "select_cons_tres.so" in owners and "yardmaster" not in owners


def test_install_writes_its_own_files_and_no_other(without, new_root, packages):
    root = new_root(without)
    root.install(*(shown(packages.deb(part)) for part in debs.PARTS))
    assert roots.changes(without.found, root.snapshot()) == (ours(packages), set())


def test_remove_takes_our_files_and_no_other(host, without, packages):
    assert roots.changes(host.found, without.found) == (set(), ours(packages))


def test_purge_keeps_configuration_and_evidence(host, new_root, packages):
    root = new_root(host)
    done = root.apt("purge", *map(packages.name, debs.PARTS))
    assert done.returncode == 0, done.stdout
    assert roots.changes(host.found, root.snapshot()) == (set(), ours(packages))
    for path, text in CONFIG.items():
        assert root.read(path) == text.encode()


def test_upgrade_replaces_the_files_and_keeps_the_rest(without, new_root, packages, tmp_path):
    root = new_root(without, [("--bind-ro", tmp_path, "/repo")])
    gone = "/usr/share/doc/{}/of-an-earlier-version"
    old = [debs.repack(packages.deb(part), tmp_path, {"Version": "0.0.1-1"},
                       [gone.format(packages.name(part))]) for part in debs.PARTS]
    root.install(*(f"/repo/{deb.name}" for deb in old))
    assert root.read(gone.format(packages.name("node"))) is not None
    assert state(root, packages, "node") == "install ok installed 0.0.1-1"
    root.install(*(shown(packages.deb(part)) for part in debs.PARTS))
    assert state(root, packages, "node").startswith(f"install ok installed {packages.version}-")
    assert roots.changes(without.found, root.snapshot()) == (ours(packages), set())


def test_one_package_of_the_three_leaves_the_folder_for_the_others(host, new_root, packages):
    """Where a folder of PluginDir is missing no Slurm daemon and no command works."""
    root = new_root(host)
    folder = ("sh", "-c", "ls -A /usr/lib/*/yardmaster")
    root.apt("remove", packages.name("controller"))
    assert root.run(*folder) == "spank_yardmaster.so\n"
    assert "no packages found" in state(root, packages, "controller")
    assert state(root, packages, "node").startswith("install ok installed")
    root.apt("remove", packages.name("node"))
    assert root.run(*folder) == ""
    assert state(root, packages, "tools").startswith("install ok installed")


def test_examples_are_good(host, packages):
    folder = f"/usr/share/doc/{packages.name('controller')}/examples"
    for name in ("fabric-hgx.json", "fabric-nvl72.json"):
        assert "error" not in host.run("yardmaster", "fabric", "check", f"{folder}/{name}").lower()
    host.run("sh", "-n", f"{folder}/prolog.sh")
    lines = host.read(f"{folder}/slurm.conf").decode()
    for folder in re.search(r"(?m)^PluginDir=(.*)$", lines)[1].split(":"):
        assert host.run("ls", folder)
    assert host.run("test", "-x", re.search(r"(?m)^Prolog=(.*)$", lines)[1]) == ""


def test_chain_runs_from_the_installed_packages_alone(host, new_root):
    """tests/slurm/chain_test.py; of the build folder only the simulated hardware is there."""
    tools = conf.find_built("ym-sim-node")
    assert tools, f"no ym-sim-node under {conf.build_dir()}: build it first"
    root = new_root(host, [("--bind-ro", TESTS, TESTS), ("--bind-ro", tools.parent, tools.parent)])
    root.install("python3-pytest")
    done = root.try_run("env", "YM_INSTALLED=1", f"YM_BUILD_DIR={tools.parent}", "python3", "-B", "-m",
                        "pytest", "-q", "-rs", "-p", "no:cacheprovider",
                        TESTS / "slurm" / "chain_test.py", timeout=400)
    assert done.returncode == 0, done.stdout
    assert re.search(r"(?m)^\d+ passed in ", done.stdout), done.stdout
