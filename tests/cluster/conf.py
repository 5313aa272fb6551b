"""The files a cluster reads: slurm.conf, gres.conf, fabric.json, yardmaster.json."""

import dataclasses
import glob
import json
import os
import pathlib
import shutil
import socket
import subprocess

from shape import hostlist

OUR_PLUGINS = ("select_cons_tres.so", "job_submit_yardmaster.so", "spank_yardmaster.so")
PRODUCT = (*OUR_PLUGINS, "yardmaster", "yardmaster-prolog", "yardmaster-healthcheck")
# Where our packages put them.
INSTALLED = ("/usr/lib/*/yardmaster", "/usr/lib64/yardmaster", "/usr/libexec/yardmaster", "/usr/bin")


@dataclasses.dataclass
class Options:
    """How to build a cluster; every field is also a keyword argument of Cluster()."""

    # Ours: False for stock Slurm; True for the plugins found under the build folder.
    plugin: bool = False
    plugin_dir: str = ""  # folder with our plugins, where plugin=True shall not search
    bare_hosts: bool = False  # commands and slurmds see an empty plugin folder of ours
    prolog: str = ""  # Prolog=, with PrologFlags=Alloc,DeferBatch
    sim: bool = False  # simulated sysfs and NVML per node, from ym-sim-node
    fabric: object = None  # dict or text instead of the shape's fabric file; "" writes none
    health: dict = dataclasses.field(default_factory=dict)  # more keys of yardmaster.json's health; or a function that
    # gives them for the cluster's directory
    policy: dict = dataclasses.field(default_factory=dict)  # more top-level keys of yardmaster.json
    # Slurm.
    cloud: bool = False  # only CLOUD nodes, no slurmd: jobs are placed and stay CONFIGURING
    cloud_nodes: tuple = ()  # these nodes are CLOUD nodes, powered down, without slurmd
    gpu_cores: bool = False  # gres.conf with Cores=: GPUs belong to sockets
    gpu_types: tuple = ()  # types of the two halves of a node's GPUs, instead of the shape's
    gres_files: bool = True  # gres.conf with File=: GPUs have indices
    gres_extra: tuple = ()  # lines for gres.conf
    nohold: bool = True  # SchedulerParameters=nohold_on_prolog_fail
    deferbatch: bool = True  # with prolog: PrologFlags=Alloc,DeferBatch, else Alloc
    scheduler_parameters: str = ""  # appended to ours
    topology: str = ""  # TopologyPlugin=topology/...: "tree" and "block" get the shape's switches
    topology_conf: str = ""  # topology.conf, where the shape's switches shall not do
    extra: tuple = ()  # lines for slurm.conf; they replace our line with the same key
    node_extra: dict = dataclasses.field(default_factory=dict)  # node -> words that replace or join
    # the words of its line: "Weight=10 Feature=h100,fa"
    bare_nodes: tuple = ()  # nodes with no GPU in Slurm
    extra_partitions: tuple = ()  # "PartitionName=..." lines; "main" with all nodes is always there
    ctld_env: dict = dataclasses.field(default_factory=dict)  # e.g. LD_PRELOAD


def slurm_plugin_dir():
    """Where the installed Slurm keeps its own plugins."""
    for pattern in ("/usr/lib/*/slurm-wlm", "/usr/lib/*/slurm", "/usr/lib64/slurm"):
        for folder in glob.glob(pattern):
            if os.path.exists(f"{folder}/select_cons_tres.so"):
                return folder
    raise RuntimeError("Slurm's plugin folder is not where Debian or Red Hat put it")


def slurm_version():
    """The installed series, e.g. (22, 5)."""
    printed = subprocess.run(["/usr/sbin/slurmd", "-V"], check=True, text=True,
                             stdout=subprocess.PIPE).stdout
    return tuple(int(part) for part in printed.split()[1].split(".")[:2])


def has_plugin(name):
    """Whether the installed Slurm has this plugin, e.g. "topology_block"."""
    return os.path.exists(f"{slurm_plugin_dir()}/{name}.so")


def _cgroup_plugin():
    """slurmd loads a cgroup plugin though nothing here needs one. Left to find out which, it fails
    where no cgroups are mounted, and v2 wants systemd; v1 touches nothing until it is used. From
    23.11 on there is none to be had."""
    return "disabled" if slurm_version() >= (23, 11) else "cgroup/v1"


def build_dir():
    """The CMake build folder: $YM_BUILD_DIR, else build/ of this checkout."""
    here = pathlib.Path(__file__).resolve().parents[2] / "build"
    return pathlib.Path(os.environ.get("YM_BUILD_DIR") or here)


def installed():
    """Whether the tests take the product from our installed packages: $YM_INSTALLED is 1."""
    return os.environ.get("YM_INSTALLED") == "1"


def find_built(name):
    """A built file by name; None when it is not there. With installed(), parts of the product come
    from where packages put them, and from nowhere else."""
    if installed() and name in PRODUCT:
        paths = [path for folder in INSTALLED for path in glob.glob(f"{folder}/{name}")]
        return pathlib.Path(paths[0]) if paths else None
    for folder, below, files in os.walk(build_dir()):
        # Not what was built for packages or in the roots of other systems.
        below[:] = sorted(set(below) - {"CMakeFiles", "slurm-source", "package", "packages", "roots"})
        if name in files:
            return pathlib.Path(folder, name)
    return None


def _replace(path, text):
    """Writes the file in one step: daemons and job steps that start meanwhile read it whole."""
    whole = path.with_name(f"{path.name}.new")
    whole.write_text(text)
    os.replace(whole, path)


class Conf:
    """Writes the configuration of the cluster in `directory`."""

    def __init__(self, directory, shape, options, port):
        self.directory = directory
        self.shape = shape
        self.options = options
        self.ctld_port = port
        self.cloud = set(shape.nodes if options.cloud else options.cloud_nodes)
        self.node_ports = {name: port + 1 + i for i, name in enumerate(shape.nodes)}
        self.etc = directory / "etc"
        self.plugins = directory / "plugins"

    def write(self):
        """All files, anew."""
        self._install_plugins()
        bare = self.directory / "etc-bare"
        for folder, plugins in ((self.etc, self.plugins), (bare, self.directory / "no-plugins")):
            folder.mkdir(exist_ok=True)
            plugins.mkdir(exist_ok=True)
            _replace(folder / "slurm.conf", self._slurm_conf(plugins))
            _replace(folder / "gres.conf", self._gres_conf())
            _replace(folder / "cgroup.conf", f"CgroupPlugin={_cgroup_plugin()}\n")
            _replace(folder / "plugstack.conf", self._plugstack())
            self._write_or_remove(folder / "topology.conf", self._topology())
        self._write_json("fabric.json", self._fabric())
        self._write_json("yardmaster.json", self._policy())

    def _install_plugins(self):
        """Copies, so that a rebuild does not pull the files from under a running slurmctld; each new
        one replaces the old in one step. Installed ones are used where they are, as an admin does."""
        self.plugins = self.directory / "plugins"
        self.plugins.mkdir(exist_ok=True)
        if self.options.plugin and installed() and not self.options.plugin_dir:
            found = find_built(OUR_PLUGINS[0])
            if found is None:
                raise RuntimeError(f"no {OUR_PLUGINS[0]} in {' or '.join(INSTALLED[:2])}: install "
                                   "the controller package")
            self.plugins = found.parent
            return
        for name in OUR_PLUGINS:
            source = self._plugin_source(name)
            if source is None:
                (self.plugins / name).unlink(missing_ok=True)
                continue
            whole = self.directory / f"{name}.new"
            shutil.copy(source, whole)
            os.replace(whole, self.plugins / name)
        if self.options.plugin and not list(self.plugins.iterdir()):
            where = self.options.plugin_dir or build_dir()
            raise RuntimeError(f"none of {', '.join(OUR_PLUGINS)} in {where}: build them first")

    def _plugin_source(self, name):
        """The built plugin; None where there is none or it is not wanted."""
        if not self.options.plugin:
            return None
        source = (pathlib.Path(self.options.plugin_dir, name) if self.options.plugin_dir
                  else find_built(name))
        return source if source is not None and source.exists() else None

    def _has(self, plugin):
        return (self.plugins / plugin).exists()

    def _fabric(self):
        return self.shape.fabric() if self.options.fabric is None else self.options.fabric

    def _policy(self):
        health = self.options.health
        health = health(self.directory) if callable(health) else dict(health)
        if self.options.sim:
            sim = f"{self.directory}/sim/%n"
            health = {"sysfs_root": f"{sim}/sys", "nvml_library": f"{sim}/nvml/libnvidia-ml.so.1",
                      "evidence_dir": f"{self.directory}/evidence/%n",
                      "state_dir": f"{self.directory}/state/%n",
                      "journal": f"{self.directory}/journal/%n.jsonl", **health}
        return {**({"health": health} if health else {}), **self.options.policy}

    def _write_json(self, name, content):
        text = content if isinstance(content, str) else json.dumps(content, indent=2) + "\n"
        self._write_or_remove(self.etc / name, text)

    @staticmethod
    def _write_or_remove(path, text):
        if text:
            _replace(path, text)
        else:
            path.unlink(missing_ok=True)

    def _topology(self):
        if self.options.topology_conf:
            return self.options.topology_conf
        switches = {"tree": self.shape.tree_conf, "block": self.shape.block_conf}
        return switches.get(self.options.topology, str)()

    def _slurm_conf(self, plugins):
        lines = self._base(plugins) + self._scheduling() + self._prolog()
        # A key given twice takes Slurm's last value, with a complaint: drop ours instead.
        own = [line for line in self.options.extra]
        keys = {line.partition("=")[0] for line in own}
        lines = [line for line in lines if line.partition("=")[0] not in keys] + own
        return "\n".join(lines + self._nodes() + self._partitions()) + "\n"

    def _base(self, plugins):
        d = self.directory
        return [
            "ClusterName=yard",
            f"SlurmctldHost={socket.gethostname().split('.')[0]}(127.0.0.1)",
            f"SlurmctldPort={self.ctld_port}",
            "SlurmUser=root", "SlurmdUser=root",
            # A requeued job rests until credentials of its last start have expired: 2 minutes by default,
            # 5 seconds at least (slurm_cred.c).
            f"AuthInfo=socket={d}/run/munge.socket,cred_expire=6",
            f"PluginDir={plugins}:{slurm_plugin_dir()}",
            f"StateSaveLocation={d}/state", f"SlurmdSpoolDir={d}/spool/%n",
            f"SlurmctldPidFile={d}/run/slurmctld.pid", f"SlurmdPidFile={d}/run/slurmd-%n.pid",
            f"SlurmctldLogFile={d}/log/slurmctld.log", f"SlurmdLogFile={d}/log/slurmd-%n.log",
            "SlurmctldDebug=verbose", "MailProg=/bin/true",
            "SlurmdDebug=verbose", "DebugFlags=NO_CONF_HASH",
            "LogTimeFormat=iso8601_ms",
            "ProctrackType=proctrack/linuxproc", "TaskPlugin=task/none",
            "JobAcctGatherType=jobacct_gather/none", "SwitchType=switch/none", "MpiDefault=none",
            "SlurmctldTimeout=30", "SlurmdTimeout=300", "ReturnToService=2",
            "KillWait=1", "MinJobAge=3600", "InactiveLimit=0",
            "SlurmdParameters=config_overrides", "TmpFS=/tmp",
        ]

    def _scheduling(self):
        opt = self.options
        words = ["bf_interval=1", "bf_resolution=1", "bf_max_job_test=1000", "sched_interval=2",
                 "batch_sched_delay=0"]
        words += ["nohold_on_prolog_fail"] if opt.nohold else []
        words += [opt.scheduler_parameters] if opt.scheduler_parameters else []
        lines = ["SchedulerType=sched/backfill", f"SchedulerParameters={','.join(words)}",
                 "SelectType=select/cons_tres", "SelectTypeParameters=CR_Core_Memory",
                 "DefMemPerCPU=1000", "GresTypes=gpu", "PriorityType=priority/basic"]
        if opt.topology:
            lines.append(f"TopologyPlugin=topology/{opt.topology}")
        if self._has("job_submit_yardmaster.so"):
            lines.append("JobSubmitPlugins=yardmaster")
        if self.cloud:
            lines += ["SuspendProgram=/bin/true", "ResumeProgram=/bin/true", "SuspendTime=86400",
                      "ResumeTimeout=60000", "PrivateData=cloud",  # else sinfo hides sleeping nodes
                      "SlurmctldParameters=cloud_dns,idle_on_node_suspend"]
        return lines

    def _prolog(self):
        if not self.options.prolog:
            return []
        flags = "Alloc,DeferBatch" if self.options.deferbatch else "Alloc"
        return [f"Prolog={self.options.prolog}", f"PrologFlags={flags}"]

    def _node_words(self, name):
        shape = self.shape
        words = {"CPUs": shape.cpus, "Boards": 1, "SocketsPerBoard": 2,
                 "CoresPerSocket": shape.cpus // 2, "ThreadsPerCore": 1,
                 "RealMemory": shape.memory_mb}
        if shape.gpus and name not in self.options.bare_nodes:
            words |= {"Gres": f"gpu:{shape.gpu_type}:{shape.gpus}", "Feature": shape.gpu_type}
        extra = self.options.node_extra.get(name, "")
        words |= dict(word.split("=", 1) for word in extra.split())
        return " ".join(f"{key}={value}" for key, value in words.items())

    def _nodes(self):
        host = socket.gethostname().split(".")[0]
        alike, lines = {}, []
        for name, port in self.node_ports.items():
            if name in self.cloud:
                alike.setdefault(self._node_words(name), []).append(name)
            else:
                lines.append(f"NodeName={name} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} "
                             + self._node_words(name))
        return lines + [f"NodeName={hostlist(names)} NodeAddr=127.0.0.1 Port=1 State=CLOUD {words}"
                        for words, names in alike.items()]

    def _partitions(self):
        return ["PartitionName=main Nodes=ALL Default=YES MaxTime=UNLIMITED "
                "DefaultTime=60 State=UP",  # minutes: backfill plans no job without an end
                *self.options.extra_partitions]

    def _gres_conf(self):
        shape, lines = self.shape, ["AutoDetect=off"]
        names = [name for name in shape.nodes if name not in self.options.bare_nodes]
        if not shape.gpus or not names:
            return "\n".join(lines + list(self.options.gres_extra)) + "\n"
        head = f"NodeName={hostlist(names)} Name=gpu Type="
        if self.options.gres_files:
            lines += self._gpu_files(head)
        else:
            lines.append(f"{head}{shape.gpu_type} Count={shape.gpus}")
        return "\n".join(lines + list(self.options.gres_extra)) + "\n"

    def _gpu_files(self, head):
        """One line a socket."""
        gpus, half, cores = self.shape.gpus, max(1, self.shape.gpus // 2), self.shape.cpus // 2
        types = self.options.gpu_types or (self.shape.gpu_type,) * 2
        lines = []
        for index, (first, last) in enumerate(((0, half - 1), (half, gpus - 1))):
            if first <= last:
                bound = f" Cores={index * cores}-{(index + 1) * cores - 1}"
                lines.append(f"{head}{types[index]} File={self.directory}/dev/nvidia[{first}-{last}]"
                             + (bound if self.options.gpu_cores else ""))
        return lines

    def _plugstack(self):
        if not self._has("spank_yardmaster.so"):
            return ""
        # Not /run/yardmaster: clusters stand side by side, and their job numbers are the same.
        return (f"optional {self.plugins}/spank_yardmaster.so "
                f"state_dir={self.directory}/run/ranks\n")
