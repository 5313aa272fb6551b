#!/bin/bash
# Megatron-LM with a task for each GPU and no launcher of its own: ranks and group sizes come from the
# job's hints, so they are written once.
#   sbatch -N4 --gpus-per-node=8 --ntasks-per-node=8 --constraint="tp8&pp2" megatron.sh pretrain_gpt.py ...

srun bash -c '
    : "${YARDMASTER_RANK:?is not set: is spank_yardmaster in plugstack.conf, and PrologFlags=Alloc?}"
    : "${YARDMASTER_TP_SIZE:?is not set: the job has no hints, or they do not fit its size}"
    export RANK="$YARDMASTER_RANK" LOCAL_RANK="$SLURM_LOCALID" WORLD_SIZE="$SLURM_STEP_NUM_TASKS"
    export MASTER_ADDR="$YARDMASTER_MASTER_ADDR" MASTER_PORT="$((20000 + SLURM_JOB_ID % 10000))"
    exec python "$@" \
        --tensor-model-parallel-size "$YARDMASTER_TP_SIZE" \
        --context-parallel-size "$YARDMASTER_CP_SIZE" \
        --expert-model-parallel-size "$YARDMASTER_EP_SIZE" \
        --pipeline-model-parallel-size "$YARDMASTER_PP_SIZE"' megatron "$@"
