"""What a placement means for a training job, worked out from Slurm's list of its nodes.

Ranks are laid out as Slurm does it, node after node in the order of NodeList. A tensor-parallel
(TP) group takes tp ranks in a row; the data-parallel (DP) ring joins each group to the next and the
last to the first. `yardmaster explain` counts the same things in C++: the demo compares the two.
"""

import dataclasses


@dataclasses.dataclass
class Facts:
    leaf_groups: int  # used
    pods: int
    ring_edges: int  # of the DP ring
    leaving_leaf: int  # of these, how many join two leaf groups
    leaving_pod: int
    tp_groups: int  # 0 without a tp size
    split: int  # of these, how many lie in more than one NVLink domain


def facts(shape, nodes, tp=None):
    """The Facts of a job that holds all GPUs of `nodes`, in rank order."""
    quantum = max(1, (tp or 1) // shape.gpus)  # nodes that one TP group needs
    heads = nodes[::quantum]
    ring = list(zip(heads, heads[1:] + heads[:1])) if len(heads) > 1 else []
    groups = _tp_groups(shape, nodes, tp) if tp else []
    return Facts(
        leaf_groups=len({shape.leaf_of(node) for node in nodes}),
        pods=len({shape.pod_of(node) for node in nodes}),
        ring_edges=len(ring),
        leaving_leaf=sum(shape.leaf_of(a) != shape.leaf_of(b) for a, b in ring),
        leaving_pod=sum(shape.pod_of(a) != shape.pod_of(b) for a, b in ring),
        tp_groups=len(groups),
        split=sum(len({shape.domain_of(node) for node in group}) > 1 for group in groups))


def _tp_groups(shape, nodes, tp):
    """For each TP group the node of each of its ranks."""
    ranks = [node for node in nodes for _ in range(shape.gpus)]
    return [ranks[first:first + tp] for first in range(0, len(ranks), tp)]


def from_explain(document):
    """The same Facts out of `yardmaster explain --json`."""
    got = document["got"]["facts"]
    return Facts(leaf_groups=got["units_touched"][0], pods=got["units_touched"][1],
                 ring_edges=got["ring_edges"], leaving_leaf=got["ring_edges_leaving"][0],
                 leaving_pod=got["ring_edges_leaving"][1], tp_groups=got["tp_groups"],
                 split=got["split_tp_groups"])
