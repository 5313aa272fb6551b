#include "cli/help.hpp"

namespace yardmaster::cli {

const char* const kMainHelp = R"(Exit codes of every command:
  0  all is well
  1  answered, and not all is well: findings, drained nodes, no placement, a degraded link
  2  the command line is wrong
  3  could not find out: a file cannot be read, slurmctld does not answer, a check gave no result

`yardmaster COMMAND --help` explains a command and gives examples.)";

const char* const kFabricCheckHelp =
    R"(Reads the fabric file, says what is in it, and warns of what is legal but odd. An error names
the file, the place in it, the value and the remedy. Slurm ranks a job's nodes in the order of its
node table (by name, unless a topology plugin ranks them); where that order cuts an NVLink domain,
a leaf group or a pod into pieces, this command says so.

With --live it asks slurmctld: nodes that only one side knows, GPU counts that differ between
Gres= and the node type, and the true order of the node table.

Examples:
  yardmaster fabric check /etc/slurm/fabric.json
  yardmaster fabric check --live new-fabric.json && mv new-fabric.json /etc/slurm/fabric.json

Exit codes:
  0  right, no warnings      1  wrong, or warnings
  2  bad command line        3  the file cannot be read, or slurmctld does not answer)";

const char* const kFabricExportHelp =
    R"(Slurm ranks a job's nodes in the order of its node table. Where that order cuts NVLink domains or
leaf groups into pieces (`yardmaster fabric check` says so), one of these mends it:

  tree    topology.conf for topology/tree. From Slurm 23.02 on TopologyParam=SwitchAsNodeRank ranks
          nodes by their lowest switch, in the order of this file. In 22.05 it ranks nothing.
  block   topology.conf for topology/block (Slurm 24.05 and later): NVLink domains as blocks. From
          25.11 on TopologyParam=BlockAsNodeRank ranks nodes by block; before, they keep the order of
          slurm.conf's NodeName lines.
  names   NodeName lines with new names in the order of the fabric, for 22.05 and for topology/none
          and topology/default: there slurmctld sorts nodes by name. Hosts keep their names.

What goes into slurm.conf with it stands at the head of each. Single jobs need none of this:
`yardmaster ranks` and the variables of spank_yardmaster give them their order.

Examples:
  yardmaster fabric export fabric.json --format tree --output /etc/slurm/topology.conf
  yardmaster fabric export fabric.json --format block --slurm 24.11
  yardmaster fabric export fabric.json --format names --prefix gpu

Exit codes:
  0  written                 1  this fabric, or that Slurm, has no such thing; the reason is printed
  2  bad command line        3  the fabric file cannot be read, or the output not written)";

const char* const kFabricStatusHelp =
    R"(Asks slurmctld for its nodes and tells how much room there is: nodes that are free, part-used, busy,
drained and down; NVLink domains, leaf groups and pods that are wholly free; the largest job without
hints, and with tp of one node, of two, of four, up to the largest NVLink domain, that could start
now inside one fabric on whole nodes; and how broken up the free nodes are. GPUs and node states
count; memory, features, partitions and reservations are not looked at.

Examples:
  yardmaster fabric status
  yardmaster fabric status --json | jq '.largest_jobs[] | select(.hints == "tp16").nodes'

Exit codes:
  0  shown
  2  bad command line        3  the fabric file cannot be read, or slurmctld does not answer)";

const char* const kPlanHelp =
    R"(Places a job on paper, with the code that places it in slurmctld: which nodes, which switches
they hang on, what was weighed, what came second, and what the first free nodes in the order of
their names would have given instead. Needs a fabric file only: no Slurm, no GPUs.

Every node counts as free unless --busy or --part-used names it; with --live slurmctld says which are.
A part-used node is chosen only for a job that wants fewer GPUs than the node has.

With --what-if the job's place now stands beside the best on an empty fabric: where both lie, predicted
communication, spread, crossings, and which jobs and nodes are in the way of the best. Where no link
joins a set's nodes (separate fabrics) it says "no link" instead of a time.

Hints are written as in --constraint: tpN cpN epN ppN dpN rail leaf, joined with '&'.

Examples:
  yardmaster plan fabric.json --nodes 8 --gpus-per-node 8 --hints 'tp8&pp2'
  yardmaster plan fabric.json --nodes 16 --gpus-per-node 4 --hints tp16 --busy 'rack1n[01-06]'
  yardmaster plan fabric.json -N 4 -g 8 --hints leaf --candidates 5 --json
  yardmaster plan /etc/slurm/fabric.json -N 8 -g 8 --hints tp8 --live --what-if

Exit codes:
  0  placed                  1  cannot be placed, now or ever; the reason is printed
  2  bad command line        3  the fabric file cannot be read, or slurmctld does not answer)";

const char* const kExplainHelp =
    R"(Tells how a job was placed: who chose its nodes, by which hints, which switches and NVLink domains
they lie in, the GPU indices where they were chosen, its groups kind by kind (how many use the network,
which tiers their edges cross, how far they are spread), predicted communication beside the best that
was free at its start and the best that an empty fabric would give, what was given up and why, and
what would improve it; (!) marks what harms. Reads the receipt in the job's AdminComment, and judges
a job without one against the fabric all the same. For a pending job: what it waits for.

With --as a job is judged as if it had been submitted with those hints, e.g. one that Slurm placed alone.

JOBID is 123, 123_4 (array task) or 123+1 (component of a heterogeneous job). The fabric file is the
one beside slurm.conf unless --fabric names another.

Examples:
  yardmaster explain 4711
  yardmaster explain 4711_3 --json | jq '.got.facts'
  yardmaster explain 4711 --fabric ./fabric.json
  yardmaster explain 4711 --as 'tp16&pp2'

Exit codes:
  0  explained, nothing was given up (or not placed yet)
  1  explained, and something was given up
  2  bad command line
  3  no such job, slurmctld does not answer, or the fabric file cannot be read)";

const char* const kRanksHelp =
    R"(Orders a job's nodes so that its tensor-parallel groups lie inside NVLink domains and neighbouring
ranks below the same switches, by the hints that the job was submitted with. Where Slurm's own order
is as good, it is Slurm's. Rank r of the job runs on node rank r / (GPUs per node), GPU r % (GPUs per
node).

  table     for people
  srun      a file for SLURM_HOSTFILE and srun --distribution=arbitrary: a line a task. Slurm takes as
            many lines as the step has tasks, so one file serves one --ntasks: write another with
            --tasks-per-node 1 for one task a node. Slurm 26.05 refuses it with topology/block.
  hostfile  "node slots=N", a line a node
  mpirun    for Open MPI's sequential mapper, a line a rank: mpirun --hostfile FILE --mca rmaps seq
            (version 5: --map-by seq)
  torchrun  each node's options; with --node that node's alone
  env       the variables that spank_yardmaster gives to one task a node, as shell commands

A job's hints are in the receipt in its AdminComment; where that is somebody else's, give --hints.
With --nodes no Slurm is asked, and Slurm's order is taken to be by name.

Examples:
  yardmaster ranks 4711
  yardmaster ranks 4711 --format srun --output hosts.$SLURM_JOB_ID
  SLURM_HOSTFILE=hosts.$SLURM_JOB_ID srun --distribution=arbitrary --ntasks=32 python train.py
  torchrun $(yardmaster ranks $SLURM_JOB_ID --format torchrun --node $SLURMD_NODENAME) train.py
  yardmaster ranks --nodes 'yard[01-08]' --gpus-per-node 8 --hints 'tp8&pp2' --fabric fabric.json

Exit codes:
  0  written
  1  written, but TP groups lie in several NVLink domains in any order that was found
  2  bad command line
  3  no such job, it has no nodes yet, slurmctld does not answer, or a file cannot be read or written)";

const char* const kReplayHelp =
    R"(Plays a stream of jobs against a fabric file, once with each rule of placement, and prints what
came of it side by side: split TP groups, ring edges that cross rails, leaf groups and pods, predicted
communication beside the best possible on an empty fabric, waiting, and what stayed whole. Needs no
Slurm. The same trace gives the same answer on every machine.

first-fit    the lowest free nodes by name
tree         Slurm's topology/tree: best fit by leaf switch
block        Slurm's topology/block, with --segment for TP groups of several nodes
yardmaster   the placer that slurmctld uses, ranks in the best order for the groups

The queue is the same for all: first come, first served, with EASY backfill.

TRACE has a header line. Columns, in any order: submit, nodes, gpus (on each node), runtime, and if
known hints and id; or sacct's own Submit, NNodes, AllocTRES, ElapsedRaw or Elapsed, JobID,
Constraints or AdminComment (hints from the receipt). Other columns are not read.

Examples:
  yardmaster replay trace.csv --fabric fabric.json --svg trace.svg
  sacct -aXP --noconvert -S now-7days -o JobID,Submit,NNodes,AllocTRES,ElapsedRaw,AdminComment \
      > week.psv && yardmaster replay week.psv
  yardmaster replay week.psv --policies tree,yardmaster --json | jq '.policies[].metrics'

Exit codes:
  0  played                  1  played, but some jobs could not be placed; they are listed or counted
  2  bad command line        3  the trace or the fabric file cannot be read)";

const char* const kDrainsHelp =
    R"(Lists the nodes that Yardmaster's prolog has drained (their reason starts with "ym "): since when,
by whom, on which job, for what, and the evidence kept on the node. Nodes that somebody else drained
are only counted.

Examples:
  yardmaster drains
  yardmaster drains --json | jq -r '.drains[].node'

Exit codes:
  0  none of ours            1  at least one
  2  bad command line        3  slurmctld does not answer)";

const char* const kCheckHelp =
    R"(Runs the prolog's checks of GPUs, NVLinks and rails on this node by hand: the same code and the same
policy file, but it never drains and keeps no evidence file. Needs no Slurm daemon.

Without --gpus all of the node's GPUs and their rails are checked.

Examples:
  yardmaster check
  yardmaster check --gpus 0-3,6
  yardmaster check --json > evidence.json

Exit codes:
  0  healthy                 1  degraded: the prolog would drain this node
  2  bad command line        3  unknown: something could not be measured)";

const char* const kDoctorHelp =
    R"(Looks at this host as a controller, as a node, or as both, and says what is wrong, where, and what
to type about it. It changes nothing. Run it as root: some files are for root alone.

Both: slurm.conf (read without libslurm, so also when it is broken), PluginDir and its folders, the
versions of our plugins and of the Slurm installed here, SelectType, JobSubmitPlugins, PrologFlags,
SchedulerParameters, time limits, the fabric and policy files, slurmctld, munge.
A controller: the order of PluginDir, and the fabric file beside slurmctld's nodes.
A node: slurmd, the prolog's file and its permissions, plugstack.conf, the evidence folder, the
clock beside slurmctld's, device files, the NVIDIA library, adapters, and a dry run of the prolog's
checks.

slurm.conf is SLURM_CONF's, else /etc/slurm's, else the copy of a configless slurmd. To see what a
new one would do before it is in force, let SLURM_CONF name it.

An error stops Yardmaster or Slurm, now or at the next start; a warning costs something. What could
not be checked says why, and how to look by hand.

Examples:
  yardmaster doctor
  SLURM_CONF=/root/new/slurm.conf yardmaster doctor controller
  yardmaster doctor node --node yard07
  yardmaster doctor --json | jq -r '.findings[] | select(.severity == "error") | .remedy'

Exit codes:
  0  nothing is wrong        1  at least one warning or error
  2  bad command line, or ROLE or --node must be given
  3  no slurm.conf that can be read)";

}  // namespace yardmaster::cli
