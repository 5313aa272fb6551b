#!/usr/bin/python3
"""Stands in for torchrun and python in the launch scripts: prints what it was given, as JSON.

Started as "torchrun" or "python" through links of these names; one line on standard output, written at
once, so that lines of many tasks do not mix.
"""

import json
import os
import sys

KEPT = ("YARDMASTER_", "SLURM_PROCID", "SLURM_NODEID", "SLURM_LOCALID", "SLURMD_NODENAME",
        "SLURM_STEP_NODELIST", "CUDA_VISIBLE_DEVICES", "RANK", "LOCAL_RANK", "WORLD_SIZE", "MASTER_")
seen = {name: value for name, value in os.environ.items() if name.startswith(KEPT)}
line = json.dumps({"argv": [os.path.basename(sys.argv[0]), *sys.argv[1:]], "env": seen})
os.write(1, (line + "\n").encode())
