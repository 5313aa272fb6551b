#!/bin/sh
# The first process of the guest: two Soft-RoCE devices joined by a cable, then every case in turn.
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

join() { # two devices and the cable between them
    $ip link add vA type veth peer name vB
    for end in all vA vB; do # both ends are addresses of this one host
        echo 0 >"/proc/sys/net/ipv4/conf/$end/rp_filter"
        echo 1 >"/proc/sys/net/ipv4/conf/$end/accept_local"
    done
    for end in vA vB; do
        $ip link set "$end" mtu 9000 up
    done
    $ip addr add 10.0.0.1/24 dev vA
    $ip addr add 10.0.0.2/24 dev vB
    /tools/rdma link add mlx5_0 type rxe netdev vA
    /tools/rdma link add mlx5_1 type rxe netdev vB
}

ready() { # a port comes up a moment after its interface
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        grep -q ACTIVE /sys/class/infiniband/mlx5_0/ports/1/state &&
            grep -q ACTIVE /sys/class/infiniband/mlx5_1/ports/1/state && return
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

join || echo "@broken join"
ready
. /cases.sh
echo "@done"
reboot -f
