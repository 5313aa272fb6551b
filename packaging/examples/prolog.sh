#!/bin/sh
# Prolog= for a site that has a prolog already. Put it on every node, e.g. as /etc/slurm/prolog.sh.
#
# Yardmaster goes first: on a degraded node it drains the node, gives the job back and exits with 1,
# and nothing of the site's has to be undone. slurmd takes this script's exit status, so the failure
# of either must end it.
/usr/libexec/yardmaster/yardmaster-prolog || exit $?

exec /etc/slurm/site-prolog.sh # yours
