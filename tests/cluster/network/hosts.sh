#!/usr/bin/env bash
# Runs the cluster on hosts of its own: network namespaces with addresses of their own, behind a link that is slow and
# loses frames. Their answers have to be those of one process.
# usage: hosts.sh ZERMELO LINK GAME
set -euo pipefail
zermelo=$1
link=$2
game=$3
hosts=3
name=zermelo$$
work=$(mktemp -d)

skip() {
    echo "skipped: $1"
    exit 0
}

leave() {
    [ -z "${link_pid:-}" ] || kill "$link_pid" 2>/dev/null || true
    for i in $(seq $hosts); do ip netns del "$name-$i" 2>/dev/null || true; done
    rm -rf "$work"
}
trap leave EXIT

[ -e "$(dirname "$zermelo")/libzermelo_mpi.so" ] || skip "this program was built without MPI"
command -v ip >/dev/null || skip "there is no program ip (package iproute2)"
command -v mpirun >/dev/null || skip "there is no program mpirun (package openmpi-bin)"
[ -w /dev/net/tun ] || skip "network devices cannot be made here"
ip netns add "$name-1" 2>/dev/null || skip "network namespaces cannot be made here"
for i in $(seq 2 $hosts); do ip netns add "$name-$i"; done

# 1 ms each way, and every two hundredth frame is lost.
: >"$work/link"
"$link" 1 0.5 $(for i in $(seq $hosts); do echo "$name-$i"; done) >"$work/link" &
link_pid=$!
for _ in $(seq 100); do grep -q ready "$work/link" && break; sleep 0.05; done
addresses=()
for i in $(seq $hosts); do
    ip -n "$name-$i" addr add "10.77.0.$i/24" dev eth0
    ip -n "$name-$i" link set eth0 up
    ip -n "$name-$i" link set lo up
    addresses+=("10.77.0.$i:1")
done

# What mpirun uses to start something on another host, instead of ssh.
cat >"$work/start" <<END
#!/bin/sh
host=$name-\${1##*.}
shift
exec ip netns exec "\$host" unshare --uts sh -c 'hostname "\$1"; shift; eval "\$*"' sh "\$host" "\$@"
END
chmod +x "$work/start"

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
on_hosts() {
    "$work/start" 10.77.0.1 timeout 240 mpirun --mca plm_rsh_agent "$work/start" --mca btl tcp,self \
        --mca oob_tcp_if_include eth0 --mca btl_tcp_if_include eth0 -n $hosts \
        -H "$(IFS=,; echo "${addresses[*]}")" "$@"
}
digest() { sed -n 's/.*"digest": "\([0-9a-f]*\)".*/\1/p'; }

alone=$("$zermelo" solve "$game" --engine levels --no-check --json | digest)
together=$(on_hosts "$zermelo" solve "$game" --no-check --json | digest)
sent=$(cat "/proc/$link_pid/io" 2>/dev/null | sed -n 's/^wchar: //p')
echo "one process: $alone; $hosts hosts: $together; carried over the link: ${sent:-?} bytes"
[ -n "$alone" ] && [ "$alone" = "$together" ] || exit 1
# Who is not meant to know the network has not used it.
[ "${sent:-0}" -gt 100000 ] || { echo "the hosts did not speak over the link"; exit 1; }
