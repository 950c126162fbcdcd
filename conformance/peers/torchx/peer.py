"""TorchX as a peer of EDL's composition: makes the same job into Kubernetes objects.

    peer.py

Reads commands from standard input, a line each, and answers each with a line, "ok ..." or "error ...".

    about                  version and Python
    job ROLE=REPLICAS...   a job of these roles, each as bench's Composition has it
    objects N              N dry runs, up to the objects that would be sent; answers the seconds that they took
    text                   one dry run, up to the YAML that TorchX prints; answers the seconds and the bytes
"""

import platform
import sys
import time
import warnings
from importlib.metadata import version

from torchx import specs
from torchx.schedulers.kubernetes_scheduler import KubernetesScheduler, create_scheduler


def role(name, replicas):
    return specs.Role(
        name=name,
        image="example.com/acme/mnist:1",
        entrypoint="python",
        args=["/opt/train.py", "--epochs=2", "--minibatch_size=64"],
        env={"DATA": "/data/mnist"},
        num_replicas=replicas,
        resource=specs.Resource(cpu=2, memMB=2048, gpu=0),
        max_retries=0,
    )


class Peer:
    def __init__(self):
        self.scheduler: KubernetesScheduler = create_scheduler("bench")
        self.app = None

    def about(self):
        return f"TorchX {version('torchx')}, Python {platform.python_version()}"

    def job(self, *roles):
        split = [text.split("=") for text in roles]
        self.app = specs.AppDef(name="mnist", roles=[role(name, int(replicas)) for name, replicas in split])
        return str(sum(r.num_replicas for r in self.app.roles))

    def dryrun(self):
        return self.scheduler.submit_dryrun(self.app, {"queue": "default"})

    def objects(self, count):
        began = time.perf_counter()
        for _ in range(int(count)):
            self.dryrun()
        return repr(time.perf_counter() - began)

    def text(self):
        began = time.perf_counter()
        text = str(self.dryrun().request)
        return f"{time.perf_counter() - began!r} {len(text.encode())}"

    def answer(self, words):
        if words[0] in ("about", "text"):
            return getattr(self, words[0])()
        if words[0] in ("job", "objects"):
            return getattr(self, words[0])(*words[1:])
        raise ValueError(f"there is no command {words[0]}")


def main():
    warnings.simplefilter("ignore")
    peer = Peer()
    for line in sys.stdin:
        try:
            print("ok", peer.answer(line.split()), flush=True)
        except Exception as e:  # the other side has to know, whatever it is
            print("error", type(e).__name__, str(e).replace("\n", " "), flush=True)


if __name__ == "__main__":
    main()
