"""The .rpm: what they hold and require, and install, upgrade and removal in an empty root of rpm's own.

Debian's rpm and rpmbuild make and read them; there is no Red Hat's Slurm here, hence --nodeps.
"""

import re
import subprocess

import pytest

import debs

PARTS = pytest.mark.parametrize("part", debs.PARTS)
SLURM_OF = {"controller": "slurm-slurmctld", "node": "slurm-slurmd", "tools": "slurm"}
CONFIG = {"etc/slurm/slurm.conf": "ClusterName=yard\n", "etc/slurm/yardmaster.json": "{}\n"}
STUB = """
Name: {name}
Version: {version}
Release: 1
Summary: a stub
License: none
BuildArch: noarch
{more}
%description
A stub.
%install
mkdir -p %{{buildroot}}/usr/libexec/yardmaster
echo old >%{{buildroot}}/usr/libexec/yardmaster/of-an-earlier-version
%files
/usr/libexec/yardmaster/of-an-earlier-version
"""


def query(rpm, *options):
    return debs.output("rpm", "-qp", *options, rpm).splitlines()


def stub(folder, name, version, more=""):
    """Builds a package that holds one old file."""
    (folder / "stub.spec").write_text(STUB.format(name=name, version=version, more=more))
    subprocess.run(["rpmbuild", "-bb", "--quiet", "--define", f"_topdir {folder}/rpmbuild",
                    folder / "stub.spec"], check=True, capture_output=True)
    return next((folder / "rpmbuild" / "RPMS" / "noarch").glob(f"{name}-{version}-*.rpm"))


class RpmRoot:
    """An empty system that only rpm knows, with an admin's configuration."""

    def __init__(self, folder):
        self.folder = folder
        for path, text in CONFIG.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)

    def rpm(self, *words):
        return subprocess.run(["rpm", "--root", self.folder, "--dbpath", "/var/lib/rpm", *words],
                              text=True, check=False, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)

    def change(self, *words):
        done = self.rpm("--nodeps", *words)
        assert done.returncode == 0, done.stdout

    def files(self):
        """Its files, less rpm's own."""
        return {f"/{path.relative_to(self.folder)}" for path in self.folder.rglob("*")
                if not path.is_dir() and "var/lib/rpm" not in str(path)}


@pytest.fixture
def root(tmp_path):
    return RpmRoot(tmp_path / "root")


@PARTS
def test_requires_exactly_one_slurm_version_by_schedmds_names(packages, part):
    requires = query(packages.rpm(part), "--requires")
    assert f"{SLURM_OF[part]} = {packages.slurm}" in requires
    assert any("libslurm" in word for word in requires) == (part != "controller")


@PARTS
def test_runs_no_script_and_offers_no_library(packages, part):
    rpm = packages.rpm(part)
    assert query(rpm, "--scripts") == [] and query(rpm, "--triggers") == []
    assert not [word for word in query(rpm, "--provides") if ".so" in word]


@PARTS
def test_files_are_roots_and_nobody_else_may_write_them(packages, part):
    for line in query(packages.rpm(part), "--qf",
                      "[%{FILEMODES:perms} %{FILEUSERNAME} %{FILEGROUPNAME} %{FILENAMES}\\n]"):
        mode, user, group, path = line.split(None, 3)
        assert (user, group) == ("root", "root") and mode[5] == "-" and mode[8] == "-", line
        assert path.startswith("/usr/"), line


def test_holds_the_same_programs_as_the_deb(packages):
    def programs(paths):
        return {re.sub(r"^/usr/lib[^/]*/([^/]+/)?yardmaster/", "plugins/", path) for path in paths
                if re.match(r"/usr/(bin|lib|lib64|libexec)/", path)}

    for part in debs.PARTS:
        rpm = packages.rpm(part)
        listed = query(rpm, "--qf", "[%{FILEMODES:perms} %{FILENAMES}\\n]")
        held = {line.split(None, 1)[1] for line in listed if not line.startswith("d")}
        assert programs(held) == programs(debs.files(packages.deb(part)))
        folders = {line.split(None, 1)[1] for line in listed if line.startswith("d")}
        assert "/usr/lib64/yardmaster" in folders
        assert folders <= {"/usr/lib64/yardmaster", "/usr/libexec/yardmaster",
                           f"/usr/share/doc/{packages.name(part)}",
                           f"/usr/share/doc/{packages.name(part)}/examples"}


def test_install_and_removal_leave_the_configuration(root, packages):
    root.change("-i", *(packages.rpm(part) for part in debs.PARTS))
    assert "/usr/lib64/yardmaster/select_cons_tres.so" in root.files()
    assert root.rpm("-V", *map(packages.name, debs.PARTS), "--nodeps").stdout == ""
    root.change("-e", *map(packages.name, debs.PARTS))
    assert root.files() == {f"/{path}" for path in CONFIG}
    assert not (root.folder / "usr/lib64/yardmaster").exists()
    assert not (root.folder / "usr/libexec/yardmaster").exists()


def test_upgrade_replaces_the_files_and_keeps_the_configuration(root, packages, tmp_path):
    old = stub(tmp_path, packages.name("node"), "0.0.1")
    root.change("-i", old)
    assert "/usr/libexec/yardmaster/of-an-earlier-version" in root.files()
    root.change("-U", "--ignorearch", packages.rpm("node"))
    assert "/usr/libexec/yardmaster/of-an-earlier-version" not in root.files()
    assert "/usr/libexec/yardmaster/yardmaster-prolog" in root.files()
    for path, text in CONFIG.items():
        assert (root.folder / path).read_text() == text


def test_wrong_slurm_is_refused_with_the_version_it_needs(root, packages, tmp_path):
    needed = f"{SLURM_OF['controller']} = {packages.slurm} is needed"
    root.change("-i", stub(tmp_path, "slurm-slurmctld", packages.next_slurm))
    done = root.rpm("-i", "--test", packages.rpm("controller"))
    assert done.returncode != 0 and needed in done.stdout
    root.change("-U", "--oldpackage", stub(tmp_path, "slurm-slurmctld", packages.slurm))
    assert needed not in root.rpm("-i", "--test", packages.rpm("controller")).stdout


def test_two_micros_of_one_part_exclude_each_other(root, packages, tmp_path):
    other = f"yardmaster-controller-slurm{packages.next_slurm}"
    assert "conflicts" not in root.rpm("-i", "--test", packages.rpm("controller")).stdout
    root.change("-i", stub(tmp_path, other, packages.version,
                           f"Provides: yardmaster-controller = {packages.version}"))
    done = root.rpm("-i", "--test", packages.rpm("controller"))
    assert f"yardmaster-controller conflicts with {packages.name('controller')}-" in done.stdout
