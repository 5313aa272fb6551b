"""Clusters of CLOUD nodes, as all benchmarks of slurmctld use them."""


def wake(cluster):
    """Has every node powered up, for ever: a cluster of sleeping and waking nodes would have node
    sets of two weights, in numbers that change while we measure."""
    job = cluster.sbatch(f"-N{len(cluster.shape.nodes)} --gpus-per-node={cluster.shape.gpus}")
    cluster.wait_running(job, timeout=120)
    cluster.wait_for(lambda: "~" not in cluster.command("sinfo", "-h", "-o", "%D %T"), 120,
                     "every node to power up")
    cluster.cancel(job)
