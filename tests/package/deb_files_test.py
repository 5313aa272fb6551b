"""What the .deb hold and say, without installing them."""

import io
import re
import subprocess
import tarfile

import pytest

import debs

PARTS = pytest.mark.parametrize("part", debs.PARTS)
SLURM_OF = {"controller": "slurmctld", "node": "slurmd", "tools": "slurm-client"}


def test_lintian_finds_no_error_and_no_warning(packages):
    done = subprocess.run(["lintian", "--allow-root", "--fail-on", "error,warning", "--info",
                           *map(packages.deb, debs.PARTS)], capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@PARTS
def test_binds_to_one_slurm_micro_version(packages, part):
    slurm = SLURM_OF[part]
    depends = debs.field(packages.deb(part), "Depends").split(", ")
    assert f"{slurm} (>= {packages.slurm})" in depends
    assert f"{slurm} (<< {packages.next_slurm}~)" in depends


@PARTS
def test_excludes_the_same_part_for_another_micro(packages, part):
    deb = packages.deb(part)
    assert debs.field(deb, "Package") == packages.name(part)
    assert debs.field(deb, "Provides") == f"yardmaster-{part} (= {packages.version})"
    assert debs.field(deb, "Conflicts") == debs.field(deb, "Replaces") == f"yardmaster-{part}"


@pytest.mark.parametrize("part,linked", [("controller", False), ("node", True), ("tools", True)])
def test_programs_alone_depend_on_libslurm(packages, part, linked):
    """slurmctld brings the plugins its own copy of what is in libslurm."""
    depends = debs.field(packages.deb(part), "Depends")
    assert bool(re.search(r"\blibslurm", depends)) == linked


@PARTS
def test_runs_no_script(packages, part):
    """So installing, upgrading and removing can start, enable and edit nothing."""
    tar = subprocess.run(["dpkg-deb", "--ctrl-tarfile", packages.deb(part)], check=True,
                         stdout=subprocess.PIPE).stdout
    with tarfile.open(fileobj=io.BytesIO(tar)) as control:
        assert {name.removeprefix("./") for name in control.getnames()} - {"", "."} == {
            "control", "md5sums"}


@PARTS
def test_files_are_roots_and_nobody_else_may_write_them(packages, part):
    for mode, owner, path in debs.entries(packages.deb(part)):
        assert owner == "root/root", path
        assert re.fullmatch("[-d]rw[-x]r-[-x]r-[-x]", mode), f"{mode} {path}"


@PARTS
def test_folder_of_the_plugins_is_in_every_package(packages, part):
    folders = {path for mode, _, path in debs.entries(packages.deb(part)) if mode.startswith("d")}
    assert any(re.fullmatch(r"/usr/lib/[^/]+/yardmaster/", folder) for folder in folders)


def test_every_part_of_the_product_is_in_its_package_and_nothing_else(packages):
    """Of the programs: no test tool, no simulated hardware."""
    held = {part: {path for path in debs.files(packages.deb(part))
                   if re.match(r"/usr/(bin|sbin|lib|libexec)/", path)} for part in debs.PARTS}
    library = next(path for path in held["controller"]).rpartition("/")[0]
    assert re.fullmatch(r"/usr/lib/[^/]+/yardmaster", library)
    assert held == {
        "controller": {f"{library}/select_cons_tres.so", f"{library}/job_submit_yardmaster.so"},
        "node": {"/usr/libexec/yardmaster/yardmaster-prolog",
                 "/usr/libexec/yardmaster/yardmaster-healthcheck",
                 "/usr/libexec/yardmaster/yardmaster-rdma-probe",
                 "/usr/libexec/yardmaster/yardmaster-crossnode-probe",
                 "/usr/libexec/yardmaster/yardmaster-nccl-probe",
                 f"{library}/spank_yardmaster.so"},
        "tools": {"/usr/bin/yardmaster"},
    }


@pytest.mark.parametrize("part,path", [
    ("tools", "/usr/share/man/man1/yardmaster.1.gz"),
    ("tools", "/usr/share/bash-completion/completions/yardmaster"),
    ("node", "/usr/share/man/man8/yardmaster-prolog.8.gz"),
    ("node", "/usr/share/man/man8/yardmaster-rdma-probe.8.gz"),
    ("node", "/usr/share/man/man8/yardmaster-crossnode-probe.8.gz"),
    ("node", "/usr/share/man/man8/yardmaster-nccl-probe.8.gz"),
])
def test_every_program_has_its_page_and_the_command_its_completion(packages, part, path):
    assert path in debs.files(packages.deb(part))


@PARTS
def test_nothing_is_in_etc_or_var(packages, part):
    """Configuration and state are the admin's: no package can overwrite or remove them."""
    assert all(path.startswith("/usr/") for path in debs.files(packages.deb(part)))
