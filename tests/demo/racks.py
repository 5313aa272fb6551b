"""The demo's second cluster: two racks of trays, where one NVLink domain holds many nodes."""

import picture
import runs
import shape as shapes
import ymcluster

TRAYS, GPUS, TP = 6, 4, 16
GROUP = TP // GPUS  # trays that one TP group needs
WAYS = ("Slurm", "Slurm + topology/tree", "Yardmaster")


def two_racks():
    """Like NVL72 racks with six of their eighteen trays; names run through the racks in order."""
    names = [f"tray{number:02}" for number in range(1, 2 * TRAYS + 1)]
    racks = {"rack1": names[:TRAYS], "rack2": names[TRAYS:]}
    leaves = [shapes.Leaf(name, "row1", nodes) for name, nodes in racks.items()]
    return shapes.Shape(GPUS, "gb200", leaves, racks, nvlink_gbytes=900, cpus=144)


def tell(screen, directory):
    """Places one job of eight trays three times, on a fresh cluster each time."""
    screen.chapter("4  Racks that are one NVLink domain (like NVL72)")
    screen.say(f"""Here the GPUs of all trays of a rack share NVLink, with 18 times the bandwidth of
        the network. A user wants eight trays for TP groups of {TP}: {GROUP} trays of one rack
        each.""")
    screen.line()
    pictures, results = [], []
    for title in WAYS:
        with screen.step(f"{title}: starting {2 * TRAYS} slurmds, placing the job"):
            nodes, facts = _place(screen, directory, title)
        # The mark of a tray is the number of its TP group: ranks follow Slurm's order of the nodes.
        pictures.append((title, {node: str(1 + rank // GROUP) for rank, node in enumerate(nodes)}))
        results.append(facts)
    picture.draw(screen, two_racks(), pictures, "TP groups of the job", numbers=False)
    picture.table(screen, f"8 trays, tp{TP}", WAYS, [
        ["TP groups split between racks", *(f"{f.split} of {f.tp_groups}" for f in results)]])
    screen.say("""A TP group talks in every layer of every step, so it must stay on NVLink. The
        price: the two groups' gradients, once a step, cross between the racks.""", "dim")
    screen.line()
    screen.check(results[0].split > 0 and results[1].split > 0,
                 "Slurm splits a TP group between racks, also with topology/tree")
    screen.check(results[2].split == 0, "Yardmaster keeps every TP group in one rack")


def _place(screen, directory, title):
    """(the job's nodes, their Facts) on a cluster that lives only for this."""
    cluster = ymcluster.Cluster(directory, two_racks(), plugin=title == "Yardmaster")
    try:
        cluster.start()
        if "tree" in title:
            cluster.options.extra = ("TopologyPlugin=topology/tree",)
            runs.with_tree(cluster)
            cluster.use_plugin(False)
        hint = f" -C tp{TP}" if title == "Yardmaster" else ""
        job = cluster.sbatch(f"-N{2 * GROUP} --gpus-per-node={GPUS}{hint}", user=runs.USER)
        cluster.wait_running(job, timeout=90)
        return (cluster.nodes_of(job),
                runs.judge(screen, cluster, {"E": job}, TP, bool(hint))["E"])
    finally:
        cluster.stop()
