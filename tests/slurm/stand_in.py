#!/usr/bin/python3
"""Stands in for torchrun and python in the launch scripts: notes what it was given, as JSON.

Copied under these names into a folder, it leaves a file a process in shown/ there. Not on standard
output, whose long lines srun cuts into pieces and mixes.
"""

import json
import os
import pathlib
import sys

KEPT = ("YARDMASTER_", "SLURM_PROCID", "SLURM_NODEID", "SLURM_LOCALID", "SLURMD_NODENAME",
        "SLURM_STEP_NODELIST", "CUDA_VISIBLE_DEVICES", "RANK", "LOCAL_RANK", "WORLD_SIZE", "MASTER_")
seen = {name: value for name, value in os.environ.items() if name.startswith(KEPT)}
me = pathlib.Path(sys.argv[0])
shown = me.parent / "shown" / f"{os.environ['SLURM_JOB_ID']}.{os.getpid()}"
fresh = shown.parent / (shown.name + ".new")
fresh.write_text(json.dumps({"argv": [me.name, *sys.argv[1:]], "env": seen}))
fresh.rename(shown.parent / (shown.name + ".json"))
