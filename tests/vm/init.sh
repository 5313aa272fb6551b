#!/bin/sh
# The first process of the guest: Soft-RoCE devices joined by cables, then every case in turn. mlx5_0
# and mlx5_1 are at the ends of one cable, mlx5_2 and mlx5_3 at those of another. They are of one host,
# or of two "nodes" (cases.sh): a node is a process. In network namespaces of their own Linux 6.1's
# Soft-RoCE gets no packets: it listens in the first one only.
# What a case prints stands between "@case NAME" and "@end STATUS" on the serial console.
export PATH=/bin:/sbin
mount -t devtmpfs none /dev
mount -t proc none /proc
mount -t sysfs none /sys
dmesg -n 1
while read -r module; do
    insmod "/modules/$module.ko" || echo "@broken insmod $module"
done </modules/order

# busybox has an ip and a tc of its own, which lack what we need.
ip=/tools/ip
tc=/tools/tc

join() { # SUBNET END DEVICE END DEVICE: two devices and the cable between them
    $ip link add "$2" type veth peer name "$4"
    for end in all "$2" "$4"; do # both ends are addresses of this one host
        echo 0 >"/proc/sys/net/ipv4/conf/$end/rp_filter"
        echo 1 >"/proc/sys/net/ipv4/conf/$end/accept_local"
    done
    for end in "$2" "$4"; do
        $ip link set "$end" mtu 9000 up
    done
    $ip addr add "$1.1/24" dev "$2"
    $ip addr add "$1.2/24" dev "$4"
    /tools/rdma link add "$3" type rxe netdev "$2"
    /tools/rdma link add "$5" type rxe netdev "$4"
}

ready() { # a port comes up a moment after its interface
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        test "$(cat /sys/class/infiniband/*/ports/1/state | grep -c ACTIVE)" = 4 && return
        usleep 200000
    done
    echo "@broken ports are not up"
}

probe() { # NAME PROBE-ARGUMENT...
    echo "@case $1"
    shift
    /tools/yardmaster-rdma-probe "$@" 2>&1
    echo "@end $?"
}

nodes() { # NAME PROBE-ARGUMENT...: a job of two nodes, of two rails each
    echo "@case $1"
    shift
    pids=
    for node in n0 n1; do
        first=${node#n} # n0 has mlx5_0 and mlx5_2
        /tools/yardmaster-crossnode-probe --node=$node --nodes=n0,n1 --hub=127.0.0.1 --munge-socket=$munge \
            "--rail=mlx5_$first,0" "--rail=mlx5_$((first + 2)),1" "$@" >/tmp/$node 2>&1 &
        pids="$pids $!"
    done
    wait $pids # by name: munged is a child of this process too
    cat /tmp/n0
    cmp /tmp/n0 /tmp/n1 >/dev/null || grep -E 'cross_(error|not_run)' /tmp/n1
    echo "@end 0"
}

$ip link set lo up
munge=/run/munge/munge.socket
# Root's munged does not like to be one, nor its folders.
/tools/munged --force --num-threads=2 --key-file=/munge.key --socket=$munge --pid-file=/run/munge/pid \
    --seed-file=/run/munge/seed --log-file=/run/munge/log || echo "@broken munged"
join 10.0.0 vA mlx5_0 vB mlx5_1 || echo "@broken join"
join 10.0.1 vC mlx5_2 vD mlx5_3 || echo "@broken join"
ready
. /cases.sh
echo "@done"
reboot -f
