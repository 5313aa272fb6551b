"""What apt does where Slurm and our packages are not of the same micro version. Slurm's packages are
empty ones here: only their names and versions matter."""

import subprocess

import pytest

import debs

REVISION = "-4+deb1u3"


@pytest.fixture(scope="module")
def repository(tmp_path_factory, packages):
    """A folder for apt with slurmctld of our micro and of the next, and our package for the next."""
    folder = tmp_path_factory.mktemp("repo")
    for version in (packages.slurm, packages.next_slurm):
        debs.dummy(folder, "slurmctld", version + REVISION)
    head, _, micro = packages.next_slurm.rpartition(".")
    new = packages.next_slurm
    debs.repack(packages.deb("controller"), folder, {
        "Package": f"yardmaster-controller-slurm{new}",
        "Depends": f"slurmctld (>= {new}), slurmctld (<< {head}.{int(micro) + 1}~)",
    })
    return folder


def publish(folder, *patterns):
    """Lets apt see these packages of the folder and no others."""
    index = subprocess.run(["dpkg-scanpackages", "-m", "."], cwd=folder, check=True, text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    wanted = [entry for entry in index.split("\n\n")
              if any(pattern in entry for pattern in patterns)]
    (folder / "Packages").write_text("\n\n".join(wanted) + "\n", encoding="utf-8")


@pytest.fixture(scope="module")
def libraries(new_root, packages):
    """A clean Debian with the libraries that our plugins need, and apt pointed at /repo."""
    root = new_root()
    depends = debs.field(packages.deb("controller"), "Depends").split(", ")
    root.apt("update")
    root.install(*(word.split()[0] for word in depends if not word.startswith("slurmctld")))
    root.write("/etc/apt/sources.list", "deb [trusted=yes] file:/repo ./\n")
    return root


@pytest.fixture
def host(new_root, libraries, repository):
    return new_root(libraries, [("--bind-ro", repository, "/repo")])


@pytest.fixture
def matching(host, repository, packages):
    """A host with slurmctld of our micro and our package; then the next micro comes to the mirror."""
    publish(repository, f"_{packages.slurm}{REVISION}_")
    host.apt("update")
    host.install("slurmctld", f"/packages/{packages.deb('controller').name}")
    return host


def versions(root):
    """{package: version} of what is installed of Slurm and ours."""
    printed = root.try_run("dpkg-query", "-W", "-f", "${Package} ${Version} ${db:Status-Abbrev}\\n",
                           "slurmctld", "yardmaster-*").stdout
    lines = [line.split() for line in printed.splitlines()]
    return {line[0]: line[1] for line in lines if line[-1][1] == "i"}


def test_wrong_micro_is_refused_with_both_versions(host, repository, packages):
    publish(repository, f"_{packages.next_slurm}{REVISION}_")
    host.apt("update")
    host.install("slurmctld")
    done = host.apt("install", f"/packages/{packages.deb('controller').name}")
    assert done.returncode != 0
    assert f"slurmctld (< {packages.next_slurm}~)" in done.stdout
    assert f"{packages.next_slurm}{REVISION} is" in done.stdout
    assert list(versions(host)) == ["slurmctld"]


def test_dpkg_alone_does_not_configure_it_either(host, repository, packages):
    publish(repository, f"_{packages.next_slurm}{REVISION}_")
    host.apt("update")
    host.install("slurmctld")
    done = host.try_run("dpkg", "-i", f"/packages/{packages.deb('controller').name}")
    assert done.returncode != 0
    assert f"depends on slurmctld (<< {packages.next_slurm}~)" in done.stdout
    assert f"Version of slurmctld on system is {packages.next_slurm}{REVISION}" in done.stdout


def test_ordinary_upgrade_keeps_slurm_back_while_ours_is_installed(matching, repository, packages):
    before = versions(matching)
    publish(repository, "Package: slurmctld")
    matching.apt("update")
    done = matching.apt("upgrade")
    assert done.returncode == 0, done.stdout
    assert versions(matching) == before
    assert before["slurmctld"] == packages.slurm + REVISION


def test_slurm_and_its_set_move_in_one_transaction(matching, repository, packages):
    publish(repository, "Package: ")
    matching.apt("update")
    matching.install("slurmctld", f"yardmaster-controller-slurm{packages.next_slurm}")
    assert versions(matching) == {
        "slurmctld": packages.next_slurm + REVISION,
        f"yardmaster-controller-slurm{packages.next_slurm}": debs.field(
            packages.deb("controller"), "Version"),
    }


def test_full_upgrade_removes_ours_and_says_so(matching, repository, packages):
    """Where Slurm itself is not held: what is left is stock Slurm, and never a set that does not fit."""
    publish(repository, "Package: slurmctld")
    matching.apt("update")
    done = matching.apt("dist-upgrade")
    assert f"REMOVED:\n  {packages.name('controller')}" in done.stdout
    assert versions(matching) == {"slurmctld": packages.next_slurm + REVISION}


def test_full_upgrade_keeps_slurm_back_while_ours_is_held(matching, repository, packages):
    before = versions(matching)
    publish(repository, "Package: slurmctld")
    matching.run("apt-mark", "hold", packages.name("controller"))
    matching.apt("update")
    done = matching.apt("dist-upgrade")
    assert done.returncode == 0, done.stdout
    assert versions(matching) == before


def test_held_set_lets_a_new_revision_of_its_slurm_in(matching, repository, packages):
    newer = f"{packages.slurm}{REVISION}.1"
    debs.dummy(repository, "slurmctld", newer)
    publish(repository, f"_{newer}_")
    matching.run("apt-mark", "hold", packages.name("controller"))
    matching.apt("update")
    matching.apt("upgrade")
    assert versions(matching)["slurmctld"] == newer
    assert packages.name("controller") in versions(matching)
