"""A small virtual machine with Soft-RoCE devices: Debian's kernel under qemu's software emulation (no KVM
is needed), an initramfs of our programs, and what it prints on its serial console."""

import functools
import glob
import gzip
import os
import re
import shutil
import subprocess
import sysconfig

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.environ.get("YM_BUILD_DIR") or os.path.join(os.path.dirname(os.path.dirname(HERE)), "build")
PROBES = [os.path.join(BUILD, "healthcheck", name) for name in (
    "rdma/probe/yardmaster-rdma-probe", "crossnode/probe/yardmaster-crossnode-probe")]
CACHE = os.path.join(BUILD, "vm")
LIBRARIES = f"/usr/lib/{sysconfig.get_config_var('MULTIARCH')}"
# In the order of their dependencies. crc32_generic is needed, though no module says so.
MODULES = ["crc32_generic", "veth", "sch_netem", "ib_core", "ib_uverbs", "udp_tunnel", "ip6_udp_tunnel", "rdma_rxe"]
TOOLS = ["ip", "tc", "rdma"]
LONGEST_S = 150  # emulated, on a machine that builds at the same time


class Missing(Exception):
    """Something that a machine may lack: the tests are skipped then, visibly."""


def run(*command, **more):
    done = subprocess.run(command, capture_output=True, **more)
    if done.returncode != 0:
        raise Missing(f"{' '.join(command)}: {done.stderr.decode(errors='replace').strip()[-300:]}")
    return done.stdout


def program(name):
    path = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
    if path is None:
        raise Missing(f"{name} is not installed: ./dev setup")
    return os.path.realpath(path)


def kernel():
    """A folder with boot/vmlinuz-* and the modules of Debian's kernel; fetched once (70 MB), kept in build/vm.
    The kernel of cloud images has no rdma_rxe."""
    if glob.glob(f"{CACHE}/kernel/boot/vmlinuz-*"):
        return f"{CACHE}/kernel"
    depends = run("apt-cache", "depends", "linux-image-amd64").decode()
    found = re.search(r"Depends: (linux-image-[0-9]\S*)", depends)
    if not found:
        raise Missing("apt knows no linux-image-amd64: apt-get update")
    os.makedirs(CACHE, exist_ok=True)
    run("apt-get", "-q", "-o", "APT::Sandbox::User=root", "download", found.group(1), cwd=CACHE, timeout=300)
    package = glob.glob(f"{CACHE}/{found.group(1)}_*.deb")[0]
    unpacked = f"{CACHE}/kernel.new"
    shutil.rmtree(unpacked, ignore_errors=True)
    wanted = ["./boot/vmlinuz-*"] + [f"*/{name}.ko" for name in MODULES]
    stream = subprocess.Popen(["dpkg-deb", "--fsys-tarfile", package], stdout=subprocess.PIPE)
    os.makedirs(unpacked)
    run("tar", "-x", "-C", unpacked, "--wildcards", *wanted, stdin=stream.stdout)
    stream.wait()
    os.rename(unpacked, f"{CACHE}/kernel")
    os.remove(package)
    return f"{CACHE}/kernel"


class Root:
    """The guest's file system while it is put together."""

    def __init__(self, folder):
        self.folder = folder
        shutil.rmtree(folder, ignore_errors=True)
        for name in ("bin", "tools", "modules", "proc", "sys", "dev", "tmp"):
            os.makedirs(f"{folder}/{name}")

    def put(self, source, target=None):
        to = self.folder + (target or source)
        os.makedirs(os.path.dirname(to), exist_ok=True)
        shutil.copy(source, to)

    def put_program(self, source, target=None):
        """With the libraries that it is linked to."""
        self.put(source, target)
        linked = subprocess.run(["ldd", source], capture_output=True, text=True).stdout
        for library in re.findall(r"(/\S+) \(0x", linked):
            self.put(library)

    def put_busybox(self):
        busybox = program("busybox")
        self.put(busybox, "/bin/busybox")
        for name in run(busybox, "--list").decode().split():
            if name != "busybox":
                os.symlink("busybox", f"{self.folder}/bin/{name}")

    def put_verbs(self):
        self.put_program(f"{LIBRARIES}/libibverbs.so.1")
        provider = glob.glob(f"{LIBRARIES}/libibverbs/librxe-*.so")
        if not provider:
            raise Missing("ibverbs-providers is not installed: ./dev setup")
        self.put_program(provider[0])
        self.put("/etc/libibverbs.d/rxe.driver")

    def put_munge(self):
        self.put_program(program("munged"), "/tools/munged")
        self.put_program(f"{LIBRARIES}/libmunge.so.2")
        os.makedirs(f"{self.folder}/run/munge")
        with open(f"{self.folder}/munge.key", "wb") as key:  # of one guest's life
            key.write(os.urandom(128))
        os.chmod(f"{self.folder}/munge.key", 0o400)

    def put_modules(self, kernel_folder):
        for name in MODULES:
            self.put(glob.glob(f"{kernel_folder}/**/{name}.ko", recursive=True)[0], f"/modules/{name}.ko")
        with open(f"{self.folder}/modules/order", "w", encoding="ascii") as file:
            file.write("\n".join(MODULES) + "\n")

    def pack(self, file):
        names = run("find", ".", cwd=self.folder)
        archive = run("cpio", "-o", "-H", "newc", "--quiet", input=names, cwd=self.folder)
        with open(file, "wb") as out:
            out.write(gzip.compress(archive, 1))


def initramfs(kernel_folder):
    root = Root(f"{CACHE}/root")
    root.put_busybox()
    for name in TOOLS:
        root.put_program(program(name), f"/tools/{name}")
    for probe in PROBES:
        root.put_program(probe, f"/tools/{os.path.basename(probe)}")
    root.put_verbs()
    root.put_munge()
    root.put_modules(kernel_folder)
    root.put(f"{HERE}/init.sh", "/init")
    root.put(f"{HERE}/cases.sh", "/cases.sh")
    os.chmod(f"{root.folder}/init", 0o755)
    root.pack(f"{CACHE}/initrd")
    return f"{CACHE}/initrd"


def boot():
    """Runs the guest to its end; what it printed."""
    if os.uname().machine != "x86_64":
        raise Missing("the virtual machine is built for x86_64 only")
    qemu = program("qemu-system-x86_64")
    program("cpio")
    folder = kernel()
    command = [qemu, "-M", "q35", "-accel", "tcg,thread=multi", "-cpu", "max", "-smp", "2", "-m", "512",
               "-nodefaults", "-no-user-config", "-nic", "none", "-display", "none", "-serial", "stdio", "-no-reboot",
               "-kernel", glob.glob(f"{folder}/boot/vmlinuz-*")[0], "-initrd", initramfs(folder),
               "-append", "console=ttyS0 quiet panic=-1"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=LONGEST_S)
    return done.stdout.decode(errors="replace").replace("\r", "")


@functools.lru_cache(maxsize=1)
def console():
    return boot()
