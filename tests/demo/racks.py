"""The demo's second cluster: two racks of trays, where one NVLink domain holds many nodes."""

import dataclasses

import picture
import runs
import shape as shapes
import ymcluster

TRAYS, GPUS, TP = 6, 4, 16
GROUP = TP // GPUS  # trays that one TP group needs
IN_A_ROW = 3  # pictures side by side


@dataclasses.dataclass
class Way:
    """One way of placing the job."""

    title: str
    topology: str = ""  # Slurm's own topology plugin
    options: str = ""  # for sbatch
    ours: bool = False


def ways():
    """Slurm alone, then with what it has of its own, Yardmaster last."""
    own = {"tree": [Way("topology/tree", "tree")],
           "block": [Way("topology/block", "block"),
                     Way(f"block --segment={GROUP}", "block", f"--segment={GROUP}")]}
    return [Way("Slurm"), *(way for name in runs.topologies() for way in own[name]),
            Way("Yardmaster", options=f"-C tp{TP}", ours=True)]


def two_racks():
    """Like NVL72 racks with six of their eighteen trays; names run through the racks in order."""
    names = [f"tray{number:02}" for number in range(1, 2 * TRAYS + 1)]
    racks = {"rack1": names[:TRAYS], "rack2": names[TRAYS:]}
    leaves = [shapes.Leaf(name, "row1", nodes) for name, nodes in racks.items()]
    return shapes.Shape(GPUS, "gb200", leaves, racks, nvlink_gbytes=900, cpus=144)


def tell(screen, directory):
    """Places one job of eight trays in every way, on a fresh cluster each time."""
    screen.chapter("4  Racks that are one NVLink domain (like NVL72)")
    screen.say(f"""Here the GPUs of all trays of a rack share NVLink, with 18 times the bandwidth of
        the network. A user wants eight trays for TP groups of {TP}: {GROUP} trays of one rack
        each.""")
    screen.line()
    tried, pictures, results = ways(), [], []
    for way in tried:
        with screen.step(f"{way.title}: starting {2 * TRAYS} slurmds, placing the job"):
            nodes, facts = _place(screen, directory, way)
        # The mark of a tray is the number of its TP group: ranks follow Slurm's order of the nodes.
        pictures.append((way.title,
                         {node: str(1 + rank // GROUP) for rank, node in enumerate(nodes)}))
        results.append(facts)
    for first in range(0, len(pictures), IN_A_ROW):
        picture.draw(screen, two_racks(), pictures[first:first + IN_A_ROW], "TP groups of the job",
                     numbers=False)
    picture.table(screen, f"8 trays, tp{TP}", [way.title for way in tried], [
        ["TP groups split between racks", *(f"{f.split} of {f.tp_groups}" for f in results)]])
    screen.say("""A TP group talks in every layer of every step, so it must stay on NVLink. The
        price: the two groups' gradients, once a step, cross between the racks.""", "dim")
    screen.line()
    _check(screen, list(zip(tried, results)))


def _check(screen, placed):
    for way, facts in placed:
        if way.ours:
            screen.check(facts.split == 0, "Yardmaster keeps every TP group in one rack")
        elif way.options:
            screen.check(facts.split == 0, f"{way.title} splits none: its user works out {way.options} "
                         f"from tp{TP} and the trays' {GPUS} GPUs")
        else:
            screen.check(facts.split > 0, f"{way.title} splits a TP group between racks")


def _place(screen, directory, way):
    """(the job's nodes, their Facts) on a cluster that lives only for this."""
    cluster = ymcluster.Cluster(directory, two_racks(), plugin=way.ours, topology=way.topology)
    try:
        cluster.start()
        job = cluster.sbatch(f"-N{2 * GROUP} --gpus-per-node={GPUS} {way.options}", user=runs.USER)
        cluster.wait_running(job, timeout=90)
        return (cluster.nodes_of(job),
                runs.judge(screen, cluster, {"E": job}, TP, way.ours)["E"])
    finally:
        cluster.stop()
