"""What a test cluster looks like: names, switches, NVLink domains, hardware per node."""

import dataclasses
import math


@dataclasses.dataclass
class Leaf:
    """A leaf group: nodes under one leaf switch (or one switch a rail)."""

    name: str
    pod: str
    nodes: list


@dataclasses.dataclass
class Shape:
    """Hardware of the whole cluster. Build one with servers() or nvl72()."""

    gpus: int  # per node; 0: a CPU cluster
    gpu_type: str
    leaves: list  # [Leaf]
    domains: dict  # NVLink domain -> [node]; empty: every node is its own
    cpus: int = 64
    memory_mb: int = 1024000
    nvlink_gbytes: int = 450  # per GPU and direction (NVLink 4)
    rail_gbps: int = 400

    @property
    def nodes(self):
        """Every node name, in Slurm's node-table order."""
        return sorted(node for leaf in self.leaves for node in leaf.nodes)

    def leaf(self, name):
        """The nodes of one leaf group."""
        return next(leaf.nodes for leaf in self.leaves if leaf.name == name)

    def pod(self, name):
        """The nodes of one pod."""
        return [node for leaf in self.leaves if leaf.pod == name for node in leaf.nodes]

    def leaf_of(self, node):
        return next(leaf.name for leaf in self.leaves if node in leaf.nodes)

    def pod_of(self, node):
        return next(leaf.pod for leaf in self.leaves if node in leaf.nodes)

    def domain_of(self, node):
        """The node's NVLink domain; a lone server's is named after it."""
        return next((name for name, nodes in self.domains.items() if node in nodes), node)

    def fabric(self):
        """The fabric file's content (docs/fabric-file.md)."""
        rails = [{"nic": f"mlx5_{gpu}", "gbps": self.rail_gbps} for gpu in range(self.gpus)]
        node_type = {
            "gpus": self.gpus,
            "nvlink_gigabytes_per_s": self.nvlink_gbytes,
            "rails": rails,
        }
        document = {
            "version": 1,
            "node_types": {self.gpu_type: node_type},
            "nodes": {hostlist(self.nodes): self.gpu_type},
            "switches": [self._core()],
        }
        if self.domains:
            document["nvlink_domains"] = {
                name: hostlist(nodes) for name, nodes in self.domains.items()
            }
        return document

    def tree_conf(self):
        """The switches as topology.conf of topology/tree."""
        pods, lines = {}, []
        for leaf in self.leaves:
            lines.append(f"SwitchName={leaf.name} Nodes={','.join(leaf.nodes)}")
            pods.setdefault(leaf.pod, []).append(leaf.name)
        lines += [f"SwitchName={pod} Switches={','.join(leaves)}" for pod, leaves in pods.items()]
        return "\n".join([*lines, f"SwitchName=core Switches={','.join(pods)}"]) + "\n"

    def block_conf(self):
        """The leaf groups as topology.conf of topology/block, which joins neighbours two by two: pods
        are blocks of the next size where a pod's number of leaf groups is a power of two."""
        lines = [f"BlockName={leaf.name} Nodes={','.join(leaf.nodes)}" for leaf in self.leaves]
        size = min(len(leaf.nodes) for leaf in self.leaves)
        in_pod = sum(leaf.pod == self.leaves[0].pod for leaf in self.leaves)
        sizes = [size, size * in_pod] if in_pod in (2, 4, 8, 16) else [size]
        return "\n".join([*lines, f"BlockSizes={','.join(map(str, sizes))}"]) + "\n"

    def _core(self):
        pods = {}
        for leaf in self.leaves:
            unit = {"name": leaf.name, "nodes": hostlist(leaf.nodes)}
            pods.setdefault(leaf.pod, []).append(unit)
        units = [{"name": name, "oversubscription": 2, "children": leaves}
                 for name, leaves in pods.items()]
        return {"name": "core", "children": units}


def scrambled(count, prefix="yard"):
    """`count` names whose order by name says nothing about their order here, as on real floors.

    The same on every machine: steps of about 0.618 x count through the numbers.
    """
    width = max(2, len(str(count)))
    stride = max(1, round(count * 0.618))
    while math.gcd(stride, count) != 1:
        stride += 1
    return [f"{prefix}{(2 + i * stride) % count + 1:0{width}}" for i in range(count)]


def hostlist(names):
    """["yard02", "yard01", "yard05"] -> "yard[01-02,05]"; the names share prefix and width."""
    width = len(names[0]) - len(names[0].rstrip("0123456789"))
    prefix, runs = names[0][:-width], []
    for number in sorted(int(name[-width:]) for name in names):
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    parts = (f"{a:0{width}}" if a == b else f"{a:0{width}}-{b:0{width}}" for a, b in runs)
    return f"{prefix}[{','.join(parts)}]"


def _leaves(sizes, leaves_per_pod, count=None):
    """Leaf groups of these sizes under pods, filled with scrambled names."""
    names = iter(scrambled(count or sum(sizes)))
    result = []
    for index, size in enumerate(sizes):
        nodes = [node for _, node in zip(range(size), names)]
        if nodes:
            pod = f"pod{index // leaves_per_pod + 1}"
            result.append(Leaf(f"leaf{index + 1}", pod, nodes))
    return result


def servers(pods=2, leaves=2, size=4, gpus=8, gpu_type="h100", **more):
    """Pods of `leaves` leaf groups of `size` servers; NVLink inside each server only."""
    return Shape(gpus, gpu_type, _leaves([size] * pods * leaves, leaves), {}, **more)


def nvl72(racks=2, present=18, gpus=4, **more):
    """Racks of `present` nodes (18 is a full one), each one NVLink domain and one leaf group.

    `present` may be a list, one number a rack: [16, 17, 18].
    """
    sizes = [present] * racks if isinstance(present, int) else list(present)
    leaves = _leaves(sizes, len(sizes))
    domains = {f"rack{index + 1}": leaf.nodes for index, leaf in enumerate(leaves)}
    return Shape(gpus, "gb200", leaves, domains, nvlink_gbytes=900, cpus=144, **more)


def large(count=10000, leaf=32, leaves=16, **more):
    """A cluster for measuring: pods of 16 leaf groups of 32 servers until `count` is reached."""
    return Shape(8, "h100", _leaves([leaf] * math.ceil(count / leaf), leaves, count), {}, **more)


def parse(text):
    """A shape from the command line: "2x2x4x8" (pods, leaves, servers, GPUs), "nvl72", "nvl72x4"."""
    if text.startswith("nvl72"):
        return nvl72(racks=int(text[6:] or 2))
    return servers(*(int(part) for part in text.split("x")))
