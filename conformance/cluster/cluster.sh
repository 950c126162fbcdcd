#!/usr/bin/env bash
# A whole Kubernetes cluster of real parts on one Linux machine, for checks: conformance/cluster/VERB
#
#   up [--nodes N] [--fake N] [--fake-size RESOURCES] [--gates GATE,...] [--while PID]
#                                                       starts it and returns when every node is Ready; it ends by itself
#                                                       when process PID has ended, however that ends
#   in COMMAND...                                       runs a command where the cluster is reached, KUBECONFIG set
#   image TAR                                           gives an image (see image.py) to every real node
#   signal NAME SIGNAL                                  sends a signal to one of its programs: etcd STOP, kubelet-2 KILL
#   start NAME                                          starts etcd, kube-apiserver or a kubelet again after a KILL, once that one is gone
#   down                                                ends it; nothing is left
#
# Real nodes (3 unless said otherwise) are containerd, runc and a kubelet each; they need root and live in a network, mount
# and PID namespace of their own, so that nothing of them is reached from outside and the end of their first process ends
# all. Fake nodes are KWOK's: their pods run nothing, and they are as large as --fake-size says (cpu=8,memory=30Gi unless
# given); beside real nodes they are tainted kwok.x-k8s.io/node=fake:NoSchedule. --gates switches feature gates on, and with
# them all alpha APIs. Without root there are fake nodes only,
# on loopback. EDL_CLUSTER names another folder for its state than ${TMPDIR:-/tmp}/edl-cluster-UID, and with it another
# cluster. The programs come from conformance/cluster/build.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
dir=${EDL_CLUSTER:-${TMPDIR:-/tmp}/edl-cluster-$(id -u)}
bridge=10.200.0
services=10.96.0

fail() {
  echo "conformance/cluster: $1" >&2
  exit "${2:-1}"
}

# Keeps trying a command for so many seconds.
within() {
  local seconds=$1
  shift
  local end=$((SECONDS + seconds))
  until "$@" >/dev/null 2>&1; do
    [ "$SECONDS" -lt "$end" ] || {
      echo "conformance/cluster: not within $seconds s: $*" >&2
      return 1
    }
    sleep 0.1
  done
}

# Starts a program behind, its output in a log of its own. It dies with its parent, however that dies.
start() {
  local name=$1
  shift
  setpriv --pdeathsig KILL -- "$@" >"$dir/log/$name.log" 2>&1 &
  echo "$!" >"$dir/pid/$name"
}

admin() {
  "$bin/kubectl" --kubeconfig "$dir/pki/admin.kubeconfig" "$@"
}

# --- Certificates: an authority, one certificate a program ------------------------------------------------------------

certificate() {
  local name=$1 subject=$2 alternatives=$3
  local -a kind=(ec -pkeyopt ec_paramgen_curve:prime256v1)
  # Java's clients take RSA without being told.
  [ "$name" != admin ] || kind=(rsa:2048)
  openssl req -newkey "${kind[@]}" -nodes -keyout "$name.key" -out "$name.csr" -subj "$subject" 2>/dev/null
  openssl x509 -req -in "$name.csr" -CA ca.crt -CAkey ca.key -set_serial "0x$(openssl rand -hex 8)" -out "$name.crt" \
    -days 30 -extfile <(printf 'subjectAltName=%s\nextendedKeyUsage=serverAuth,clientAuth\n' "$alternatives") 2>/dev/null
}

# A certificate and a kubeconfig that carries it, so that it may be copied to anywhere.
identity() {
  local name=$1
  certificate "$@"
  cat >"$name.kubeconfig" <<X
apiVersion: v1
kind: Config
current-context: edl
contexts:
- {name: edl, context: {cluster: edl, user: $name}}
clusters:
- name: edl
  cluster: {server: "https://127.0.0.1:$port", certificate-authority-data: $(base64 -w 0 ca.crt)}
users:
- name: $name
  user: {client-certificate-data: $(base64 -w 0 "$name.crt"), client-key-data: $(base64 -w 0 "$name.key")}
X
}

certificates() {
  mkdir -p "$dir/pki"
  cd "$dir/pki"
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout ca.key -out ca.crt -days 30 \
    -subj /CN=edl 2>/dev/null
  openssl genrsa -out sa.key 2048 2>/dev/null
  openssl rsa -in sa.key -pubout -out sa.pub 2>/dev/null
  certificate apiserver /CN=kube-apiserver \
    "DNS:localhost,DNS:kubernetes.default.svc,IP:127.0.0.1,IP:$services.1,IP:$bridge.1"
  identity admin /O=system:masters/CN=admin DNS:admin
  identity scheduler /CN=system:kube-scheduler DNS:scheduler
  identity controller /CN=system:kube-controller-manager DNS:controller
  local n
  for ((n = 1; n <= nodes; n++)); do
    identity "node-$n" "/O=system:nodes/CN=system:node:node-$n" "DNS:node-$n,IP:$bridge.$((10 + n))"
  done
  cd "$here"
}

# --- Control plane ----------------------------------------------------------------------------------------------------

# Flag of the programs whose feature gates are on.
gated=()
[ -z "${gates:-}" ] || gated=(--feature-gates "${gates//,/=true,}=true")

etcd() {
  start etcd "$bin/etcd" --data-dir "$dir/etcd" --unsafe-no-fsync --log-level warn \
    --listen-client-urls "http://127.0.0.1:$etcd_port" --advertise-client-urls "http://127.0.0.1:$etcd_port" \
    --listen-peer-urls "http://127.0.0.1:$peer_port" --initial-advertise-peer-urls "http://127.0.0.1:$peer_port" \
    --initial-cluster "default=http://127.0.0.1:$peer_port"
}

apiserver() {
  local p=$dir/pki
  # What Services call "kubernetes" must have an address that is not loopback.
  local -a address=(--bind-address 0.0.0.0 --advertise-address "$bridge.1")
  [ "$nodes" -gt 0 ] || address=(--bind-address 127.0.0.1 --advertise-address 192.0.2.1 --endpoint-reconciler-type none)
  local -a alpha=()
  [ -z "$gates" ] || alpha=("${gated[@]}" --runtime-config api/alpha=true)
  start kube-apiserver "$bin/kube-apiserver" "${alpha[@]}" --etcd-servers "http://127.0.0.1:$etcd_port" --secure-port "$port" \
    "${address[@]}" --tls-cert-file "$p/apiserver.crt" --tls-private-key-file "$p/apiserver.key" \
    --client-ca-file "$p/ca.crt" --kubelet-client-certificate "$p/admin.crt" --kubelet-client-key "$p/admin.key" \
    --kubelet-certificate-authority "$p/ca.crt" --kubelet-preferred-address-types InternalIP \
    --service-account-issuer https://kubernetes.default.svc --service-account-key-file "$p/sa.pub" \
    --service-account-signing-key-file "$p/sa.key" --service-cluster-ip-range "$services.0/16" \
    --authorization-mode Node,RBAC --enable-admission-plugins NodeRestriction --allow-privileged --profiling=false
}

control_plane() {
  local p=$dir/pki
  etcd
  apiserver
  within 60 admin get --raw /readyz
  start kube-scheduler "$bin/kube-scheduler" "${gated[@]}" --kubeconfig "$p/scheduler.kubeconfig" --leader-elect=false \
    --bind-address 127.0.0.1 --secure-port "$scheduler_port"
  start kube-controller-manager "$bin/kube-controller-manager" "${gated[@]}" --kubeconfig "$p/controller.kubeconfig" \
    --leader-elect=false --use-service-account-credentials --service-account-private-key-file "$p/sa.key" \
    --root-ca-file "$p/ca.crt" --bind-address 127.0.0.1 --secure-port "$controller_port" \
    --node-monitor-grace-period 20s --node-monitor-period 1s
  within 60 admin get serviceaccount default
}

# --- Names and Services: one proxy is enough, since all nodes share one network namespace -----------------------------

names() {
  cat >"$dir/Corefile" <<X
.:53 {
  errors
  kubernetes cluster.local {
    kubeconfig $dir/pki/admin.kubeconfig
  }
  cache 1
}
X
  cat >"$dir/proxy.yaml" <<X
apiVersion: kubeproxy.config.k8s.io/v1alpha1
kind: KubeProxyConfiguration
mode: nftables
clusterCIDR: 10.244.0.0/16
hostnameOverride: node-1
clientConnection:
  kubeconfig: "$dir/pki/admin.kubeconfig"
conntrack:
  maxPerCore: 0
bindAddress: 127.0.0.1
healthzBindAddress: 127.0.0.1:10256
metricsBindAddress: 127.0.0.1:10249
X
  start coredns "$bin/coredns" -conf "$dir/Corefile"
  start kube-proxy "$bin/kube-proxy" --config "$dir/proxy.yaml"
  admin apply -f - <<X
apiVersion: v1
kind: Service
metadata: {name: kube-dns, namespace: kube-system}
spec:
  clusterIP: $services.10
  ports:
  - {name: dns, port: 53, protocol: UDP}
  - {name: dns-tcp, port: 53}
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: kube-dns-1, namespace: kube-system, labels: {kubernetes.io/service-name: kube-dns}}
addressType: IPv4
endpoints:
- addresses: [$bridge.1]
ports:
- {name: dns, port: 53, protocol: UDP}
- {name: dns-tcp, port: 53, protocol: TCP}
X
}

# --- Real nodes -------------------------------------------------------------------------------------------------------

# The image of every pause container, and one with a shell; image.py makes others from any folder.
images() {
  local shell command
  shell=$(command -v busybox) || fail "busybox is not there; on Debian it is in the package busybox-static"
  mkdir -p "$dir/images/pause" "$dir/images/busybox/bin" "$dir/images/busybox/tmp"
  chmod 1777 "$dir/images/busybox/tmp"
  cp -L "$shell" "$dir/images/pause/busybox"
  cp -L "$shell" "$dir/images/busybox/bin/busybox"
  for command in $(busybox --list); do
    [ "$command" = busybox ] || ln -sf busybox "$dir/images/busybox/bin/$command"
  done
  python3 "$here/image.py" "$dir/images/pause.tar" edl.local/pause:1 "$dir/images/pause" /busybox sleep 1000000000
  python3 "$here/image.py" "$dir/images/busybox.tar" edl.local/busybox:1 "$dir/images/busybox"
}

node() {
  local n=$1 d=$dir/node-$1 s=/run/edl-node-$1 tar
  mkdir -p "$d/cni" "$s"
  # A bridge and a subnet for each node: the plugin refuses a second subnet on its bridge.
  cat >"$d/cni/10-edl.conflist" <<X
{"cniVersion": "1.0.0", "name": "edl", "plugins": [{"type": "bridge", "bridge": "cni$n", "isGateway": true,
  "ipam": {"type": "host-local", "dataDir": "$d/ipam", "ranges": [[{"subnet": "10.244.$n.0/24"}]],
           "routes": [{"dst": "0.0.0.0/0"}]}}]}
X
  # Where CAP_SYS_RESOURCE is missing, no container starts unless its OOM score is left alone.
  cat >"$d/containerd.toml" <<X
version = 3
root = "$d/containerd"
state = "$s/containerd"
[grpc]
  address = "$s/containerd.sock"
[plugins.'io.containerd.cri.v1.images'.pinned_images]
  sandbox = "edl.local/pause:1"
[plugins.'io.containerd.cri.v1.runtime']
  restrict_oom_score_adj = true
[plugins.'io.containerd.cri.v1.runtime'.cni]
  bin_dirs = ["$bin"]
  conf_dir = "$d/cni"
X
  # Both generations of cgroups are taken, and no cgroup above the pods, which some machines do not let one make.
  cat >"$d/kubelet.yaml" <<X
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
containerRuntimeEndpoint: unix://$s/containerd.sock
address: $bridge.$((10 + n))
port: 10250
healthzPort: 0
failCgroupV1: false
cgroupDriver: cgroupfs
cgroupsPerQOS: false
enforceNodeAllocatable: []
failSwapOn: false
authentication:
  anonymous: {enabled: false}
  webhook: {enabled: false}
  x509: {clientCAFile: $dir/pki/ca.crt}
authorization: {mode: AlwaysAllow}
tlsCertFile: $dir/pki/node-$n.crt
tlsPrivateKeyFile: $dir/pki/node-$n.key
resolvConf: ""
clusterDomain: cluster.local
clusterDNS: [$services.10]
evictionHard: {memory.available: "0%", nodefs.available: "0%", imagefs.available: "0%", nodefs.inodesFree: "0%"}
imageGCHighThresholdPercent: 100
serializeImagePulls: false
nodeStatusUpdateFrequency: 4s
volumePluginDir: $d/plugins
podLogsDir: $d/logs
X
  PATH=$bin:$PATH start "containerd-$n" "$bin/containerd" -c "$d/containerd.toml"
  within 60 "$bin/ctr" -a "$s/containerd.sock" version
  for tar in "$dir"/images/*.tar; do
    "$bin/ctr" -a "$s/containerd.sock" -n k8s.io image import "$tar"
  done
  kubelet "$n"
}

kubelet() {
  local n=$1 d=$dir/node-$1
  PATH=$bin:$PATH start "kubelet-$n" "$bin/kubelet" --config "$d/kubelet.yaml" \
    --kubeconfig "$dir/pki/node-$n.kubeconfig" --root-dir "$d/kubelet" --cert-dir "$d/certificates" \
    --hostname-override "node-$n" --node-ip "$bridge.$((10 + n))"
}

network() {
  ip link set lo up
  ip link add edl0 type bridge
  ip addr add "$bridge.1/24" dev edl0
  local n
  for ((n = 1; n <= nodes; n++)); do
    ip addr add "$bridge.$((10 + n))/24" dev edl0
  done
  ip link set edl0 up
  # The route is looked up before a Service's address is translated.
  ip route add default dev edl0
  sysctl -qw net.ipv4.ip_forward=1
  sysctl -qw net.bridge.bridge-nf-call-iptables=1 2>/dev/null || true
}

# --- Fake nodes -------------------------------------------------------------------------------------------------------

fake_nodes() {
  local -a stages=(--config "$bin/stages/node/fast" --config "$bin/stages/node/heartbeat-with-lease" --config "$bin/stages/pod/general")
  local -a configs=()
  local folder file
  for folder in "${stages[@]}"; do
    [ -d "$folder" ] || continue
    for file in "$folder"/*.yaml; do
      case "$file" in */kustomization.yaml) ;; *) configs+=(--config "$file") ;; esac
    done
  done
  start kwok "$bin/kwok" --kubeconfig "$dir/pki/admin.kubeconfig" "${configs[@]}" \
    --manage-nodes-with-annotation-selector=kwok.x-k8s.io/node=fake --node-lease-duration-seconds=40 \
    --server-address "127.0.0.1:$kwok_port" --cidr 10.245.0.1/24
  local taints='[]' n size
  [ "$nodes" -eq 0 ] || taints='[{key: kwok.x-k8s.io/node, value: fake, effect: NoSchedule}]'
  size=$(printf '%s' "$fake_size" | sed -E 's/=/: "/g; s/,/", /g; s/$/"/')
  for ((n = 1; n <= fake; n++)); do
    cat <<X
apiVersion: v1
kind: Node
metadata:
  name: fake-$n
  annotations: {kwok.x-k8s.io/node: fake, node.alpha.kubernetes.io/ttl: "0"}
  labels: {kubernetes.io/hostname: fake-$n, kubernetes.io/os: linux, kubernetes.io/arch: amd64, type: kwok}
spec: {taints: $taints}
status:
  allocatable: {$size, pods: "250"}
  capacity: {$size, pods: "250"}
---
X
  done >"$dir/fake.yaml"
  admin create -f "$dir/fake.yaml"
}

# Whether every node has registered and is ready.
ready() {
  [ "$(admin get nodes --no-headers | awk '$2 == "Ready"' | wc -l)" -eq $((nodes + fake)) ]
}

# --- The cluster ------------------------------------------------------------------------------------------------------

# Runs as the first process of the cluster's namespaces, or, without real nodes, as their leader on this machine.
inside() {
  local n
  trap 'kill $(jobs -p) 2>/dev/null; wait; exit 0' TERM INT HUP
  mkdir -p "$dir/log" "$dir/pid"
  if [ "$nodes" -gt 0 ]; then
    mount -t tmpfs tmpfs /run
    network
    images
  fi
  certificates
  control_plane
  if [ "$nodes" -gt 0 ]; then
    names
    for ((n = 1; n <= nodes; n++)); do
      node "$n"
    done
  fi
  [ "$fake" -eq 0 ] || fake_nodes
  if [ $((nodes + fake)) -gt 0 ]; then
    within 60 ready
  fi
  touch "$dir/ready"
  # What was killed is started again by the parent of all.
  trap 'again "$(cat "$dir/again")"' USR1
  sleep infinity &
  local sleeper=$!
  while alive "$sleeper"; do
    wait "$sleeper" || true
  done
}

again() {
  # One that was killed keeps its port until it is gone, and the next one would end at once.
  within 30 gone "$(cat "$dir/pid/$1")" || return 0
  case $1 in
    etcd) etcd ;;
    kube-apiserver) apiserver ;;
    kubelet-*) kubelet "${1#kubelet-}" ;;
  esac
}

# Waits for the end of a process, and then ends the cluster whose first process is given, unless that has ended before.
guard() {
  while alive "$1" && alive "$2"; do
    sleep 1
  done
  if [ "$(cat "$dir/leader" 2>/dev/null)" = "$2" ]; then
    down
    rm -rf "${dir:?}"
  fi
}

free_port() {
  python3 -c 'import socket
s = socket.socket()
s.bind(("127.0.0.1", 0))
print(s.getsockname()[1])'
}

# The first process of the namespaces, whose parent is the one that up started.
first() {
  local child
  child=$(cat "/proc/$(cat "$dir/leader")/task/$(cat "$dir/leader")/children" 2>/dev/null) || true
  [ -n "$child" ] || fail "no cluster is up in $dir; conformance/cluster/up starts one"
  echo "${child%% *}"
}

gone() {
  ! alive "$1"
}

# One that has ended and that nobody has waited for is not alive.
alive() {
  grep -q '^State:[[:space:]]*[^ZX[:space:]]' "/proc/$1/status" 2>/dev/null
}

is_up() {
  [ -e "$dir/leader" ] && alive "$(cat "$dir/leader")"
}

# What the kernel keeps when the programs are gone.
sweep() {
  find /sys/fs/cgroup/*/k8s.io /sys/fs/cgroup/k8s.io -depth -type d -exec rmdir {} \; 2>/dev/null || true
}

number() {
  [[ ${2:-} =~ ^[0-9]+$ ]] || fail "$1 must be a number, was \"${2:-}\"" 2
}

up() {
  nodes='' fake=0 fake_size='cpu=8,memory=30Gi' gates=''
  local guarded=''
  while [ $# -gt 0 ]; do
    case "$1" in
      --nodes)
        number "$1" "${2:-}"
        nodes=$2
        ;;
      --fake)
        number "$1" "${2:-}"
        fake=$2
        ;;
      --fake-size)
        fake_size=${2:-}
        [[ $fake_size =~ ^[^=,]+=[^=,]+(,[^=,]+=[^=,]+)*$ ]] || fail "--fake-size must be like cpu=8,memory=30Gi,nvidia.com/gpu=4, was \"$fake_size\"" 2
        ;;
      --gates)
        gates=${2:-}
        [[ $gates =~ ^[A-Za-z]+(,[A-Za-z]+)*$ ]] || fail "--gates must be like GenericWorkload,GangScheduling, was \"$gates\"" 2
        ;;
      --while)
        number "$1" "${2:-}"
        alive "$2" || fail "--while must be the number of a process that runs, was $2" 2
        guarded=$2
        ;;
      *) fail "there is no flag \"$1\"; there are --nodes, --fake, --fake-size, --gates and --while" 2 ;;
    esac
    shift 2
  done
  if [ "$(id -u)" -ne 0 ]; then
    [ -z "$nodes" ] || [ "$nodes" -eq 0 ] || fail "real nodes need root; without it there are fake nodes only: up --nodes 0 --fake $nodes" 2
    if [ -z "$nodes" ] && [ "$fake" -eq 0 ]; then
      echo 'conformance/cluster: without root there are fake nodes only: 3 of KWOK, whose pods run nothing' >&2
      fake=3
    fi
    nodes=0
  fi
  nodes=${nodes:-3}
  is_up && fail "a cluster is up in $dir; conformance/cluster/down ends it, EDL_CLUSTER names another folder"
  [ ! -e "$dir" ] || [ -e "$dir/bin" ] || fail "$dir is there and is no cluster's; name another folder by EDL_CLUSTER"
  local tool
  for tool in openssl python3 setpriv $([ "$nodes" -eq 0 ] || echo runc nft ip busybox unshare nsenter); do
    command -v "$tool" >/dev/null 2>&1 || fail "$tool is not there; conformance/cluster/debian installs what is needed, as root"
  done
  bin=$("$here/build")
  # Its name would be in the way of kubectl's.
  sweep
  rm -rf "${dir:?}"
  mkdir -p "$dir"
  dir=$(cd "$dir" && pwd -P)
  echo "$bin" >"$dir/bin"
  port=6443 etcd_port=2379 peer_port=2380 scheduler_port=10259 controller_port=10257 kwok_port=10247
  local -a namespaces=(unshare --net --mount --pid --fork --kill-child --mount-proc)
  if [ "$nodes" -eq 0 ]; then
    namespaces=()
    port=$(free_port) etcd_port=$(free_port) peer_port=$(free_port)
    scheduler_port=$(free_port) controller_port=$(free_port) kwok_port=$(free_port)
  fi
  export bin dir nodes fake fake_size gates port etcd_port peer_port scheduler_port controller_port kwok_port
  setsid nohup "${namespaces[@]}" "$here/cluster.sh" inside </dev/null >"$dir/cluster.log" 2>&1 &
  local leader=$! end=$((SECONDS + 120))
  echo "$leader" >"$dir/leader"
  echo "$nodes" >"$dir/nodes"
  until [ -e "$dir/ready" ]; do
    if ! alive "$leader" || [ "$SECONDS" -ge "$end" ]; then
      tail -n 5 "$dir/cluster.log" "$dir"/log/*.log >&2 || true
      down
      fail "the cluster did not start; its logs end above, and lie in $dir"
    fi
    sleep 0.1
  done
  [ -z "$guarded" ] || setsid nohup "$here/cluster.sh" guard "$guarded" "$leader" </dev/null >/dev/null 2>&1 &
}

down() {
  [ -e "$dir/leader" ] || return 0
  local leader end=$((SECONDS + 20)) name
  leader=$(cat "$dir/leader")
  if [ "$(cat "$dir/nodes" 2>/dev/null || echo 0)" -gt 0 ]; then
    kill -KILL "$leader" 2>/dev/null || true
  else
    # Nothing of it is kept, so nothing has to end in order.
    for name in "$dir"/pid/*; do
      [ ! -e "$name" ] || kill -KILL "$(cat "$name")" 2>/dev/null || true
    done
    kill -TERM "$leader" 2>/dev/null || true
  fi
  while alive "$leader"; do
    [ "$SECONDS" -lt "$end" ] || fail "process $leader did not end within 20 s"
    sleep 0.05
  done
  rm -f "$dir/leader" "$dir/ready"
  sweep
}

verb=${1:-}
[ $# -eq 0 ] || shift
case $verb in
  up) up "$@" ;;
  inside) inside ;;
  guard) guard "$@" ;;
  in)
    [ $# -gt 0 ] || fail 'in must be followed by a command' 2
    is_up || fail "no cluster is up in $dir; conformance/cluster/up starts one"
    KUBECONFIG=$dir/pki/admin.kubeconfig
    PATH=$(cat "$dir/bin"):$PATH
    export KUBECONFIG PATH
    [ "$(cat "$dir/nodes")" -gt 0 ] || exec "$@"
    exec nsenter --target "$(first)" --net "$@"
    ;;
  image)
    [ $# -eq 1 ] || fail 'image must be followed by an archive' 2
    tar=$(realpath "$1")
    [ "$(cat "$dir/nodes")" -gt 0 ] || fail 'fake nodes run no images'
    nsenter --target "$(first)" --net --mount sh -c \
      'for s in /run/edl-node-*/containerd.sock; do "$0" -a "$s" -n k8s.io image import "$1" || exit; done' \
      "$(cat "$dir/bin")/ctr" "$tar"
    ;;
  signal)
    [ $# -eq 2 ] || fail 'signal must be followed by a program and a signal, as in: signal kubelet-2 STOP' 2
    is_up || fail "no cluster is up in $dir; conformance/cluster/up starts one"
    [ -e "$dir/pid/$1" ] || fail "there is no program \"$1\"; there are $(cd "$dir/pid" && echo *)" 2
    if [ "$(cat "$dir/nodes")" -gt 0 ]; then
      # The number is one of its own namespace.
      nsenter --target "$(first)" --pid --mount kill -s "$2" "$(cat "$dir/pid/$1")"
    else
      kill -s "$2" "$(cat "$dir/pid/$1")"
    fi
    ;;
  start)
    [[ ${1:-} =~ ^(etcd|kube-apiserver|kubelet-[0-9]+)$ ]] || fail "only etcd, kube-apiserver and kubelets can be started again, not \"${1:-}\"" 2
    is_up || fail "no cluster is up in $dir; conformance/cluster/up starts one"
    [ -e "$dir/pid/$1" ] || fail "there is no program \"$1\"; there are $(cd "$dir/pid" && echo *)" 2
    echo "$1" >"$dir/again"
    kill -s USR1 "$([ "$(cat "$dir/nodes")" -gt 0 ] && first || cat "$dir/leader")"
    ;;
  down)
    down
    rm -rf "${dir:?}"
    ;;
  --help | help) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}" ;;
  *) fail "there is no verb \"$verb\"; there are up, in, image, signal, start and down" 2 ;;
esac
