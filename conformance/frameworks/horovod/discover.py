"""Horovod's own discovery reads what EDL writes, through a scale-in and a scale-out: discover.py STEPS FOLDER"""
import json
import os
import stat
import sys

from horovod.runner.common.util.hosts import parse_host_files, parse_hosts
from horovod.runner.elastic.discovery import HostDiscoveryScript, HostManager


def put(path, text, mode=None):
    with open(path + ".new", "w") as file:
        file.write(text)
    if mode:
        os.chmod(path + ".new", mode)
    os.rename(path + ".new", path)


def same(what, seen, wanted):
    if seen != wanted:
        sys.exit("%s: Horovod reads %r, EDL wrote %r" % (what, seen, wanted))


def main():
    with open(sys.argv[1]) as file:
        steps = json.load(file)
    folder = sys.argv[2]
    script = os.path.join(folder, "discover_hosts.sh")
    lines = os.path.join(folder, "hosts")
    known = os.path.join(folder, "known_hosts.sh")
    hostfile = os.path.join(folder, "hostfile")
    put(lines, "")
    put(script, steps[0]["follows"], stat.S_IRWXU)
    manager = HostManager(HostDiscoveryScript(script, 1))
    before = []
    for step in steps:
        hosts = {host["name"]: host["slots"] for host in step["hosts"]}
        put(lines, step["lines"])
        update = int(manager.update_available_hosts())
        same("update " + step["what"], update, step["update"])
        same("hosts " + step["what"], manager.current_hosts.host_slots, hosts)
        # Hosts that Horovod knew keep their ranks; new ones come behind them, in an order of Horovod's own.
        order = list(manager.current_hosts.host_assignment_order)
        kept = [name for name in before if name in hosts]
        same("order " + step["what"], order[: len(kept)], kept)
        same("names " + step["what"], set(order), set(hosts))
        before = order
        put(known, step["script"], stat.S_IRWXU)
        same("script " + step["what"], dict(HostDiscoveryScript(known, 1).find_available_hosts_and_slots()), hosts)
        put(hostfile, step["hostfile"])
        same("hostfile " + step["what"], parse_host_files(hostfile), step["argument"])
        parsed = parse_hosts(step["argument"])
        same("-H " + step["what"], [(h.hostname, h.slots) for h in parsed], list(hosts.items()))
    print("%d states" % len(steps))


if __name__ == "__main__":
    main()
