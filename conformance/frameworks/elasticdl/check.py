"""The client's half of the check: ElasticDL's own parser beside EDL, in both directions.

    check.py known FILE            compares the flags that EDL knows with the parser's
    check.py written FILE          gives what EDL wrote to the parser
    check.py make COUNT SEED       prints command lines made from the parser's own table
    check.py read LINES ANSWERS    compares what EDL read of them with what the parser reads
    check.py misspell COUNT SEED   prints command lines with one flag misspelt
    check.py refused LINES ANSWERS sees that EDL refused each, and counts what the parser does instead
"""
import argparse
import json
import random
import re
import shlex
import sys
from decimal import Decimal

from elasticdl_client.common import args as client_args
from elasticdl_client.common import k8s_resource, k8s_volume
from elasticdl_client.main import build_argument_parser

UNITS = {"": 1, "k": 10**3, "K": 10**3, "m": Decimal("0.001")}
for power, letter in enumerate("KMGTPE", 1):
    UNITS[letter] = 10 ** (3 * power)
    UNITS[letter + "i"] = 1024**power


def fail(*lines):
    print("\n".join(lines), file=sys.stderr)
    sys.exit(1)


def parsers():
    """The parser of each verb, out of the client's own."""
    for action in build_argument_parser()._actions:
        if isinstance(action, argparse._SubParsersAction):
            return {verb: action.choices[verb] for verb in ("train", "evaluate", "predict")}
    raise AssertionError("the client has no verbs")


def flags(parser):
    return {a.dest: a for a in parser._actions if a.option_strings and a.dest != "help"}


def amounts(resources):
    """Amounts as numbers, so that 2048Mi and 2Gi are one; a disk is what Kubernetes calls ephemeral-storage."""
    out = {}
    for name, text in resources.items():
        number, unit = re.match(r"^([0-9.e+-]+?)([kKMGTPEm]i?)?$", text).groups()
        out["ephemeral-storage" if name == "disk" else name] = str((Decimal(number) * UNITS[unit or ""]).normalize())
    return out


def resources(text):
    return amounts(k8s_resource.parse(text)) if text else {}


def client_meaning(parser, verb, words):
    """What the parser makes of a command line, in the form in which EDL says it, and what it did not know."""
    parsed, unknown = parser.parse_known_args(words)
    value = vars(parsed)
    means = {"verb": verb}
    known = flags(parser)
    for name, action in known.items():
        seen = value[name]
        if name.endswith(("_resource_request", "_resource_limit")) and name.split("_")[0] in ("master", "ps", "worker"):
            means[name] = resources(seen)
        elif action.nargs == "?":
            means[name] = str(bool(seen)).lower()
        else:
            means[name] = "" if seen is None else str(seen)
    for role in ("master", "ps", "worker"):
        limit = dict(means[role + "_resource_request"])
        limit.update(means[role + "_resource_limit"])
        # A limit that is not given is the request; EDL keeps to that for each resource by itself, and says so.
        means[role + "_resource_limit"] = limit
        means[role + "_image"] = means.get(role + "_image") or means["image_name"]
        command = means.get("job_command", "")
        means[role + "_command"] = ["/bin/bash", "-c", command] if command and role != "master" else []
    means["worker_relaunches"] = int(means.pop("relaunch_on_worker_failure", 1))
    means["ps_relaunches"] = int(means.pop("ps_relaunch_max_num", 1))
    for name in ("num_workers", "num_ps_pods"):
        means[name] = int(means[name])
    means["volume"] = k8s_volume.parse(means["volume"])
    means["envs"] = client_args.parse_envs(means["envs"])
    for name in ("image_name", "job_command"):
        means.pop(name, None)
    if means["num_ps_pods"] == 0:
        for name in [n for n in means if n.startswith("ps_") and n != "ps_is_critical"]:
            means.pop(name)
    return means, unknown


def edl_meaning(means):
    means = dict(means)
    for name in list(means):
        if name.endswith(("_resource_request", "_resource_limit")) and isinstance(means[name], dict):
            means[name] = amounts(means[name])
    return means


def compare(words, ours, theirs):
    # Which public index of packages is the default is for ElasticDL to name, not for EDL.
    unnamed = {"extra_pypi_index"} if not any(w.startswith("--extra_pypi_index") for w in words) else set()
    names = sorted((set(ours) | set(theirs)) - unnamed)
    wrong = ["  %s: EDL %r, ElasticDL %r" % (n, ours.get(n), theirs.get(n)) for n in names if ours.get(n) != theirs.get(n)]
    if wrong:
        fail("they disagree on: " + " ".join(map(shlex.quote, words)), *wrong)


def known(lines):
    """Every flag of the client is EDL's, and the other way round."""
    total = 0
    by_verb = parsers()
    for line in lines:
        said = json.loads(line)
        theirs = set(flags(by_verb[said["verb"]]))
        ours = set(said["flags"])
        if ours != theirs:
            fail(
                "%s: EDL lacks %s, ElasticDL lacks %s"
                % (said["verb"], sorted(theirs - ours), sorted(ours - theirs))
            )
        total += len(ours)
    print("%d flags of 3 commands known, no other" % total)


def written(lines):
    by_verb = parsers()
    count = 0
    for line in lines:
        said = json.loads(line)
        entry, verb, words = said["words"][0], said["words"][1], said["words"][2:]
        if entry != "elasticdl":
            fail("EDL wrote: " + " ".join(said["words"]))
        try:
            theirs, unknown = client_meaning(by_verb[verb], verb, words)
        except SystemExit:
            fail("ElasticDL refuses what EDL wrote: " + " ".join(map(shlex.quote, said["words"])))
        if unknown:
            fail("ElasticDL does not know %s of: %s" % (unknown, " ".join(map(shlex.quote, words))))
        compare(said["words"], edl_meaning(said["means"]), theirs)
        count += 1
    print("%d command lines of EDL's accepted, each with its meaning" % count)


TEXT = ["a", "/data/x", "two words", "x=y", "é", "-", "a;b"]


def value(rng, name, action):
    if name in ("master_resource_request", "worker_resource_request", "ps_resource_request"):
        return rng.choice(["cpu=250m,memory=32Mi,disk=64Mi,gpu=1", "cpu=0.5,memory=1G", "cpu=2"])
    if name in ("master_resource_limit", "worker_resource_limit", "ps_resource_limit"):
        return "cpu=2,memory=4Gi,gpu=1"
    if name.endswith(("_resource_request", "_resource_limit")):
        return "cpu=1,nvidia.com/P100-PCIE-16GB-P=1"  # only the last release has such flags
    if name == "worker_pod_priority":
        return rng.choice(["high", "low"])
    if name.endswith("_pod_priority"):
        return rng.choice(["high", "low", "batch"])
    if name == "volume":
        return rng.choice(["claim_name=c1,mount_path=/p1;host_path=/h,mount_path=/p0,type=Directory;", "host_path=/h,mount_path=/a"])
    if name == "envs":
        return rng.choice(["A=1", "A=1,B=x,y,C=", "A=a b,c,B=2"])
    if name in ("namespace", "job_name"):
        return rng.choice(["a", "team-1"])
    if name in ("model_params", "data_reader_params", "aux_params"):
        return rng.choice(["a=1; b='x'".replace("'", '"'), "disable_relaunch=True"])
    if name == "model_def":
        return "cifar10_subclass.cifar10_subclass.CustomModel"
    if name == "critical_worker_index":
        return rng.choice(["default", "none", "1:0,3:1"])
    if name == "launch_worker_after_ps_running":
        return rng.choice(["on", "off"])
    if name in ("image_name", "worker_image", "ps_image"):
        return "acme/x:1"
    if action.choices:
        return rng.choice([c for c in action.choices])
    if action.type is int:
        return str(rng.randrange(1, 500))
    if name == "log_level":
        return "debug"
    return rng.choice(TEXT)


def line(rng, verb, parser):
    """A command line with some of the parser's flags, in any order and in each of the forms that argparse takes."""
    words = []
    table = list(flags(parser).items())
    rng.shuffle(table)
    chosen = {name for name, _ in table if rng.random() < 0.3}
    # A job of ElasticDL has a request for each role, so a limit comes with one.
    for role in ("master", "ps", "worker"):
        if role + "_resource_limit" in chosen:
            chosen.discard(role + "_resource_request")
            words += ["--%s_resource_request=cpu=1,memory=4096Mi,gpu=1" % role]
    chosen.add("image_name")
    for name, action in table:
        if name not in chosen and not action.required and name != "num_workers":
            continue
        if action.nargs == "?":
            form = rng.choice(["=True", "=no", "=Y", ""])
            words.append("--" + name + form)
            continue
        text = value(rng, name, action)
        if rng.random() < 0.5 and not text.startswith("-"):
            words += ["--" + name, text]
        else:
            words.append("--%s=%s" % (name, text))
    return ["elasticdl", verb] + words


def make(count, seed):
    rng = random.Random(seed)
    by_verb = parsers()
    for _ in range(count):
        verb = rng.choice(sorted(by_verb))
        print("\x1f".join(line(rng, verb, by_verb[verb])))


def read(lines, answers):
    by_verb = parsers()
    for words, answer in zip(lines, answers):
        words, answer = words.rstrip("\n").split("\x1f"), json.loads(answer)
        if "refused" in answer:
            fail("EDL refuses what ElasticDL reads: " + " ".join(map(shlex.quote, words)), *answer["refused"])
        theirs, _ = client_meaning(by_verb[words[1]], words[1], words[2:])
        compare(words, edl_meaning(answer), theirs)
    if len(lines) != len(answers):
        fail("%d command lines, %d answers" % (len(lines), len(answers)))
    print("%d command lines read by both alike" % len(lines))


def misspell(count, seed):
    """Command lines with one flag misspelt: a letter dropped, doubled or swapped, or only the first letters given."""
    rng = random.Random(seed)
    by_verb = parsers()
    made = 0
    while made < count:
        verb = rng.choice(sorted(by_verb))
        words = line(rng, verb, by_verb[verb])
        at = rng.choice([i for i, w in enumerate(words) if w.startswith("--")])
        name, equals, rest = words[at][2:].partition("=")
        i = rng.randrange(len(name) - 1)
        wrong = rng.choice(
            [name[:i] + name[i + 1 :], name[:i] + name[i] + name[i:], name[:i] + name[i + 1] + name[i] + name[i + 2 :], name[:-2]]
        )
        if wrong in flags(by_verb[verb]) or flags(by_verb[verb])[name].required:
            continue
        words[at] = "--" + wrong + equals + rest
        print("\x1f".join(words))
        made += 1


def refused(lines, answers):
    """EDL refuses each; counts what the client does instead."""
    by_verb = parsers()
    dropped = abbreviated = complained = 0
    for words, answer in zip(lines, answers):
        words, answer = words.rstrip("\n").split("\x1f"), json.loads(answer)
        if "refused" not in answer:
            fail("EDL reads a misspelt flag: " + " ".join(map(shlex.quote, words)))
        sys.stderr, kept = open("/dev/null", "w"), sys.stderr
        try:
            _, unknown = by_verb[words[1]].parse_known_args(words[2:])
            dropped, abbreviated = dropped + bool(unknown), abbreviated + (not unknown)
        except SystemExit:
            complained += 1
        finally:
            sys.stderr = kept
    print(
        "%d misspelt flags refused by EDL; ElasticDL drops %d of them without a word, takes %d for a longer flag and refuses %d"
        % (len(lines), dropped, abbreviated, complained)
    )


def lines_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines() if path.endswith(".json") else file.read().split("\n")[:-1]


if __name__ == "__main__":
    what = sys.argv[1]
    if what == "known":
        known(lines_of(sys.argv[2]))
    elif what == "written":
        written(lines_of(sys.argv[2]))
    elif what == "make":
        make(int(sys.argv[2]), int(sys.argv[3]))
    elif what == "read":
        read(lines_of(sys.argv[2]), lines_of(sys.argv[3]))
    elif what == "misspell":
        misspell(int(sys.argv[2]), int(sys.argv[3]))
    elif what == "refused":
        refused(lines_of(sys.argv[2]), lines_of(sys.argv[3]))
    else:
        fail("there is no " + what)
