# What happens to the cable, and what the probe is then asked. Read by init.sh.
#
# Emulated time is scarce and uneven: long ACK timeouts where writes are to come through, short ones
# where they are not.
small="--size=32768 --depth=4 --window-ms=120 --windows=3 --latency-writes=10"
patient="$small --timeout=18 --retries=6 --budget-s=10"
hasty="$small --timeout=13 --retries=2 --budget-s=3"

probe list --list
probe healthy $patient mlx5_0 mlx5_1
probe self_loop $patient mlx5_0

nodes met $small --timeout=18 --retries=6 --meet-s=6 --budget-s=10

for end in vA vB; do $tc qdisc add dev $end root netem rate 10mbit; done
probe slow $patient mlx5_0 mlx5_1
for end in vA vB; do $tc qdisc del dev $end root; done

$tc qdisc add dev vA root netem loss 20%
probe lossy $hasty --pair=mlx5_0,mlx5_1
$tc qdisc del dev vA root
$tc qdisc add dev vA root netem loss 100%
probe cut $hasty --pair=mlx5_0,mlx5_1
$tc qdisc del dev vA root

(
    usleep 1000000
    $ip link set vA down
) &
probe pulled --size=32768 --depth=4 --window-ms=1000 --windows=3 --timeout=13 --retries=2 --budget-s=4 --pair=mlx5_0,mlx5_1
wait $!
probe down $hasty --pair=mlx5_0,mlx5_1
$ip link set vA up
ready

$ip addr flush dev vA scope global
probe no_address $patient mlx5_0 mlx5_1
