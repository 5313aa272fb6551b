"""The demo's main part: sixteen servers, the same jobs placed by Slurm and by Yardmaster, and one
link that goes bad."""

import contextlib
import json
import re

import conf
import picture
import runs
import shape as shapes
import ymcluster

STREAM = {"A": 4, "B": 6, "C": 2}  # servers a job
BUSY = (["yard06", "yard12"], ["yard05"], ["yard14"])  # other users' jobs
NIC, GOOD, BAD = "mlx5_3", 400, 100  # Gb/s


class Servers:
    """The chapters in the order in which they are told."""

    def __init__(self, screen, directory, with_topology, guard):
        self.screen, self.guard = screen, guard
        self.topologies = runs.topologies() if with_topology else []
        self.cluster = ymcluster.Cluster(
            directory, shapes.servers(pods=2, leaves=2, size=4, gpus=8), sim=True)
        self.busy = [node for nodes in BUSY for node in nodes]
        self.pictures, self.ways = [], []

    def tell(self):
        self.start()
        self.slurm_alone()
        for name in self.topologies:
            self.slurm_with(name)
        self.with_yardmaster()
        self.compare()
        self.bad_link()

    # --- placement ----------------------------------------------------------------------------

    def start(self):
        self.screen.chapter("1  Where Slurm puts jobs")
        with self.screen.step("starting munge, slurmctld and 16 slurmds"):
            self.cluster.start(guard=self.guard)
        runs.prepare(self.cluster)
        with self.screen.step("other users' jobs take four servers"):
            for nodes in BUSY:
                self.cluster.occupy(nodes)
        self.screen.line()

    def slurm_alone(self):
        self.screen.say("""Stock Slurm first. A user submits three training jobs that use all eight
            GPUs of their servers:""")
        self.screen.line()
        self._stream("Slurm", hint="")

    def slurm_with(self, topology):
        self.screen.say(f"The same with Slurm's own topology/{topology}, told the switches above:")
        self.screen.line()
        with self._changed(f"slurmctld restarts with topology/{topology}"):
            self.cluster.options.topology = topology
            self.cluster.use_plugin(False)
        self._stream(f"Slurm + {topology}", hint="")
        self.cluster.options.topology = ""

    def with_yardmaster(self):
        self.screen.chapter("2  Where Yardmaster puts the same jobs")
        with self._changed("slurmctld restarts; the other users' jobs run on"):
            self.cluster.options.prolog = str(conf.find_built("yardmaster-prolog"))
            self.cluster.use_plugin(True)
            self.cluster.reconfigure()  # for the slurmds: Prolog=
        self.screen.line()
        self.screen.say("""What is new in slurm.conf: a folder of ours before Slurm's own, for the
            placement; a plugin that reads the hints; and a prolog that checks links before a job
            starts. Taking the lines away goes back to stock.""")
        self.screen.line()
        for line in self._slurm_conf().splitlines():
            if line.startswith(("PluginDir=", "JobSubmitPlugins=", "Prolog")):
                for folder in (self.cluster.directory, conf.build_dir()):
                    line = line.replace(str(folder), "...")
                self.screen.line("    " + line)
        self.screen.line()
        self.screen.say("""The user adds one hint, a word that stock Slurm would refuse: tp8,
            tensor-parallel groups of eight GPUs. A size that no server could hold is refused at
            once:""")
        self.screen.line()
        self._refused()
        self._stream("Yardmaster", hint=" -C tp8")

    def _slurm_conf(self):
        return (self.cluster.directory / "etc" / "slurm.conf").read_text()

    @contextlib.contextmanager
    def _changed(self, what):
        """Jobs of the demo end, then the body changes slurm.conf; other users' jobs run on."""
        with self.screen.step(what):
            before = self._end_demo_jobs()
            yield
        if before != set(self.cluster.queue(states="running")):
            self.screen.check(False, "no other user's job was lost")

    def _end_demo_jobs(self):
        """Cancels the demo's jobs; returns those that are left."""
        mine = self.cluster.command("squeue", "-h", "-o", "%A", "-u", runs.USER).split()
        if mine:
            self.cluster.cancel(*mine)
        return set(self.cluster.queue(states="running"))

    def _refused(self):
        words = "sbatch -J A -N4 --gpus-per-node=8 -C tp16 train.sh"
        done = self.cluster.try_command(*words.split(), user=runs.USER)
        self.screen.command(words, done.stdout + done.stderr)
        if done.returncode == 0:
            self.screen.check(False, "tp16 was refused")
            self.cluster.cancel(done.stdout.split()[-1])
        self.screen.line()

    def _stream(self, title, hint):
        jobs = {letter: runs.submit(self.screen, self.cluster, letter,
                                    f"-N{nodes} --gpus-per-node=8{hint}")
                for letter, nodes in STREAM.items()}
        runs.wait_running(self.screen, self.cluster, jobs.values(), "waiting for them to start")
        self.ways.append((title, runs.judge(self.screen, self.cluster, jobs, 8, bool(hint))))
        self.pictures.append((title, runs.who(self.cluster, jobs, self.busy)))
        if not hint:
            self._draw(self.pictures[-1:])

    def _draw(self, pictures, letters="this user's jobs"):
        picture.draw(self.screen, self.cluster.shape, pictures, letters)

    def compare(self):
        self._draw(self.pictures)
        picture.comparison(self.screen, STREAM, self.ways)
        self.screen.say("""Counted from `scontrol show job -d`, and the same by `yardmaster
            explain`. The DP ring joins each TP group to the next, in Slurm's rank order. A pod's
            uplinks carry half of what is below them, so an edge between pods is the costly one.
            """, "dim")
        if self.topologies:
            self.screen.line()
            for name, (_, results) in zip(self.topologies, self.ways[1:]):
                self.screen.check(results == self.ways[-1][1], f"Slurm's topology/{name}, told "
                                  "these switches, serves them as well")
        else:
            self.screen.say("""Slurm's own topology plugins, told these switches, serve these three
                jobs as well (./dev demo --topology shows it). Part 4 has what they cannot know.""",
                            "dim")
            self.screen.line()
        stock, ours = self.ways[0][1], self.ways[-1][1]
        self.screen.check(sum(f.leaving_pod for f in stock.values()) > 0,
                          "Slurm alone lets gradient traffic cross pods")
        self.screen.check(all(f.leaving_pod == 0 and f.pods == 1 for f in ours.values()),
                          "with Yardmaster no job leaves its pod")
        self.screen.check(ours["A"].leaf_groups == 1 and ours["C"].leaf_groups == 1,
                          "A and C lie below one leaf group each; B, too large for one, takes two")
        self.screen.check(ours["B"].leaf_groups == 2, "B is balanced over two leaf groups")
        self.screen.check(all(f.split == 0 for f in ours.values()), "no TP group is split")

    # --- a bad link ---------------------------------------------------------------------------

    def bad_link(self):
        self.screen.chapter("3  A link goes bad")
        self._end_demo_jobs()
        bad = self._degrade()
        job = runs.submit(self.screen, self.cluster, "D", "-N2 --gpus-per-node=8 -C tp8")
        self._wait_drained(job)
        self._wait_restarted(job)
        self._show_commands(job)
        self._check_outcome(job, bad)

    def _degrade(self):
        """Slows one link of a server that the next job will get; returns the server."""
        plan = json.loads(runs.yardmaster(
            self.cluster, "plan", self.cluster.directory / "etc" / "fabric.json", "-N", 2, "-g", 8,
            "--hints", "tp8", "--busy", ",".join(self.busy), "--json"))
        nodes = plan["candidates"][0]["nodes"]
        bad = nodes[-1]
        self.screen.say(f"""A, B and C have ended. `yardmaster plan` says that the next job of two
            servers will get {' and '.join(nodes)}. One link of {bad} drops from {GOOD} to {BAD}
            Gb/s; the port stays up, and nothing in Slurm notices. The link is simulated: this file
            is made up, but the prolog reads it as it would read the kernel's.""")
        self.screen.line()
        rate = self._rate_file(bad)
        before = rate.read_text()
        self.cluster.sim(bad, "set-rate", NIC, BAD)
        self.screen.line(f"    {rate.relative_to(self.cluster.directory / 'sim' / bad)} of {bad}")
        self.screen.line(f"      before: {before.strip()}")
        self.screen.line(f"      now:    {rate.read_text().strip()}")
        self.screen.line()
        return bad

    def _rate_file(self, node):
        sysfs = self.cluster.directory / "sim" / node / "sys"
        return sysfs / "class" / "infiniband" / NIC / "ports" / "1" / "rate"

    def _show(self, *words):
        self.screen.command(" ".join(words), self.cluster.command(*words))
        self.screen.line()

    def _wait_drained(self, job):
        cluster = self.cluster
        with self.screen.step("the prolog checks the links of D's servers"):
            cluster.wait_for(lambda: cluster.restarts(job) > 0, 60, "job D to be requeued")
        self.screen.line()
        self._show("sinfo", "-R")
        self._show("squeue", "-u", runs.USER)

    def _wait_restarted(self, job):
        rest = re.search(r"cred_expire=(\d+)", self._slurm_conf())[1]
        with self.screen.step(f"Slurm lets a requeued job rest: {rest} s here, 120 s by default"):
            self.cluster.wait_running(job, timeout=120)
            nodes = self.cluster.show_job(job)["NodeList"]
            self.cluster.wait_for(lambda: nodes in runs.began(self.cluster, job), 30,
                                  f"job D's script to begin on {nodes}")
        self.screen.line()
        self._show("squeue", "-u", runs.USER)
        self.screen.command(f"cat began-{job}", runs.began(self.cluster, job))
        self._draw([("Yardmaster", runs.who(self.cluster, {"D": job}, self.busy))],
                   "this user's job")

    def _show_commands(self, job):
        for words in (("drains",), ("explain", job)):
            self.screen.command(" ".join(map(str, ("yardmaster", *words))),
                                runs.yardmaster(self.cluster, *words))
            self.screen.line()

    def _check_outcome(self, job, bad):
        screen, cluster, drained = self.screen, self.cluster, self.cluster.drained()
        ours = json.loads(runs.yardmaster(cluster, "drains", "--json"))["drains"]
        screen.check(set(drained) == {bad}, f"{bad} is drained, and no other server")
        screen.check(f"{NIC} {BAD}/{GOOD}Gb" in drained.get(bad, "")[:20],
                     "the 20 characters that sinfo -R shows name the link and its speed")
        screen.check([(drain["node"], drain["job"]) for drain in ours] == [(bad, job)],
                     "yardmaster drains names the server and the job that found it")
        screen.check(bad not in cluster.nodes_of(job) and len(cluster.leaf_groups_of(job)) == 1,
                     "job D runs on healthy servers of one leaf group; nobody had to help")
        screen.check(len(runs.began(cluster, job).splitlines()) == 1,
                     "its script began once, there: it never ran beside the bad link")
