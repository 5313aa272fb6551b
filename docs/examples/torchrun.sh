#!/bin/bash
# PyTorch's launcher, one a node: spank_yardmaster tells each which node it is.
#   sbatch -N4 --gpus-per-node=8 --constraint="tp8&pp2" torchrun.sh train.py ...
#SBATCH --ntasks-per-node=1

srun bash -c '
    : "${YARDMASTER_NODE_RANK:?is not set: is spank_yardmaster in plugstack.conf, and PrologFlags=Alloc?}"
    exec torchrun \
        --nnodes="$YARDMASTER_NNODES" \
        --node_rank="$YARDMASTER_NODE_RANK" \
        --nproc_per_node="$YARDMASTER_NPROC_PER_NODE" \
        --master_addr="$YARDMASTER_MASTER_ADDR" \
        --master_port="$((20000 + SLURM_JOB_ID % 10000))" \
        "$@"' torchrun "$@"
