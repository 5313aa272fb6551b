#include "cli/help.hpp"

namespace yardmaster::cli {

const char* const kDrainsHelp =
    R"(Lists the nodes that Yardmaster's prolog has drained (their reason starts with "ym "): since when,
by whom, on which job, for what, and the evidence kept on the node. Where that is readable here, also
what the node was judged to be since. Nodes that somebody else drained are only counted.

Examples:
  yardmaster drains
  yardmaster drains --json | jq -r '.drains[].node'

Exit codes:
  0  none of ours            1  at least one
  2  bad command line        3  slurmctld does not answer)";

const char* const kCheckHelp =
    R"(Runs the prolog's checks of GPUs, NVLinks and rails on this node by hand: the same code and the same
policy file, but it never drains and keeps no evidence file. Needs no Slurm daemon. On a drained node
use `yardmaster recheck`, which keeps what `yardmaster resume` asks for.

Without --gpus all of the node's GPUs and their rails are checked.

Examples:
  yardmaster check
  yardmaster check --gpus 0-3,6
  yardmaster check --json > evidence.json

Exit codes:
  0  healthy                 1  degraded: the prolog would drain this node
  2  bad command line        3  unknown: something could not be measured)";

const char* const kRecheckHelp =
    R"(Runs the prolog's checks on all GPUs and rails of this node again, keeps the outcome as evidence and
in the journal, and says whether the node may be resumed. A node is re-checked on itself, as root;
from another host the command says what to type. Needs no Slurm daemon, and drains nothing.

Examples:
  yardmaster recheck yard04
  yardmaster recheck yard04 && yardmaster resume yard04

Exit codes:
  0  healthy: the node may be resumed
  1  degraded
  2  bad command line
  3  something could not be measured, the evidence could not be kept, or this is another host)";

const char* const kResumeHelp =
    R"(Takes a drain of Yardmaster's own back: the reason starts with "ym ", nobody has edited it, and the last
word on the node since then is a re-check that found it healthy (`yardmaster recheck`). Everybody
else's drain is left as it is, without exception, and so is one that changes meanwhile. Only the DRAIN
flag goes. Run it on the node, where the evidence lies, or name a folder with a copy of it.

Examples:
  yardmaster resume yard04
  yardmaster resume yard04 --evidence-dir /backup/evidence/yard04

Exit codes:
  0  resumed, or not drained at all
  1  refused; the reason is printed
  2  bad command line
  3  no such node, its evidence cannot be read here, or slurmctld does not answer or refuses)";

const char* const kEvidenceHelp =
    R"(Shows one evidence bundle: for each rail and GPU what was expected, what was read and what was
concluded; the findings, the verdict, and what was done. Bundles lie on the node that they are about,
readable by root; on another host the command says where, and how to get it.

Examples:
  yardmaster evidence yard04-14-1796094669
  yardmaster evidence yard04-14-1796094669 --dir /backup/evidence/yard04
  yardmaster evidence yard04-14-1796094669 --json | jq '.readings.ports[].rate'

Exit codes:
  0  shown
  2  bad command line        3  it is not here (the message says where), or cannot be read)";

const char* const kReplayEvidenceHelp =
    R"(Judges the readings in an evidence file again, offline: no node, no Slurm, no GPUs. The bundle holds all
that a verdict depends on, so the same version always comes to the same verdict and findings. Where
another version comes to another, the rules have changed, and the command says so.

Examples:
  yardmaster replay-evidence /var/lib/yardmaster/evidence/yard04-14-1796094669.json
  for f in *.json; do yardmaster replay-evidence "$f" > /dev/null || echo "$f"; done

Exit codes:
  0  same verdict and findings        1  others; what is gone and what is new is marked
  2  bad command line                 3  the file cannot be read)";

const char* const kJournalHelp =
    R"(Counts incidents by cause, node, object (NIC or GPU), rail, NIC firmware and NVIDIA driver. An incident
is a verdict that was not healthy, whether it drained the node or not. Every node keeps a journal
(health.journal); without FILE this node's is read, with the one before it. Give the files of
several nodes to count over all of them.

Examples:
  yardmaster journal
  yardmaster journal --since 7d
  yardmaster journal /backup/journal/*.jsonl --since 2026-11-01 --json | jq '.by_firmware'

Exit codes:
  0  counted
  2  bad command line        3  a file cannot be read)";

}  // namespace yardmaster::cli
