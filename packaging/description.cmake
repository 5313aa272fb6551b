# What the packages say of themselves: first line the synopsis, no line over 79 characters.
set(about_yardmaster
"Yardmaster places multi-GPU jobs under Slurm by the topology of NVLink and
the network, and takes nodes with degraded links out before a job starts.")

set(controller_synopsis "topology-aware placement for Slurm ${YM_SLURM_VERSION}: slurmctld plugins")
set(controller_text
"This package holds the plugins of slurmctld, which load into no other version
of Slurm. They are in a folder of their own and do nothing until slurm.conf
names it in PluginDir; examples are in the documentation folder.")

set(node_synopsis "link and GPU checks before Slurm ${YM_SLURM_VERSION} jobs: prolog")
set(node_text
"This package holds the prolog that checks the GPUs, NVLinks and network
ports of a job on each of its nodes. It runs once slurm.conf names it in
Prolog; examples are in the documentation folder.")

set(tools_synopsis "topology-aware placement for Slurm ${YM_SLURM_VERSION}: yardmaster command")
set(tools_text
"This package holds the yardmaster command, which tells why a job was placed
where it is and why a node was drained, and checks fabric files.")
