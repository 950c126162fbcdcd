"""Makes a folder an image of one layer, as an archive that `ctr image import` takes: no engine, no registry.

    image.py ARCHIVE NAME:TAG FOLDER [ENTRYPOINT...]
"""

import hashlib
import io
import json
import platform
import sys
import tarfile

ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}


def anonymous(member):
    """The same bytes whoever owns the files, and whenever they were written."""
    member.uid = member.gid = member.mtime = 0
    member.uname = member.gname = ""
    # Other users' processes read the files, whatever the umask was; a folder that all write to stays one.
    if member.isreg():
        member.mode = 0o755 if member.mode & 0o100 else 0o644
    elif member.isdir() and not member.mode & 0o1000:
        member.mode = 0o755
    return member


def add(archive, name, data):
    member = tarfile.TarInfo(name)
    member.size = len(data)
    archive.addfile(member, io.BytesIO(data))


def main(archive, name, folder, *entrypoint, user="", path="/usr/local/bin:/usr/bin:/bin", home="/"):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as layer:
        layer.add(folder, arcname=".", filter=anonymous)
    layer = packed.getvalue()
    config = {
        "architecture": ARCHITECTURES[platform.machine()],
        "os": "linux",
        "config": {"User": user, "Entrypoint": list(entrypoint), "Env": ["PATH=" + path, "HOME=" + home]},
        "rootfs": {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(layer).hexdigest()]},
    }
    manifest = [{"Config": "config.json", "RepoTags": [name], "Layers": ["layer.tar"]}]
    with tarfile.open(archive, "w") as out:
        add(out, "config.json", json.dumps(config).encode())
        add(out, "layer.tar", layer)
        add(out, "manifest.json", json.dumps(manifest).encode())


if __name__ == "__main__":
    main(*sys.argv[1:])
