"""Makes an image of a Java program from a class path: a Java runtime, the C library and the jars; no engine, no registry.

    java_image.py ARCHIVE NAME:TAG CLASS_PATH MAIN_CLASS

The image runs as user 1000, who can write in /tmp alone. The same inputs give the same bytes.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

import image

# What java.se leaves out and programs use: Unsafe, zip file systems, elliptic curves for TLS, heap and thread figures.
MODULES = "java.se,jdk.unsupported,jdk.zipfs,jdk.crypto.ec,jdk.management"
# What native libraries in jars are linked with.
LIBRARIES = (
    "libc.so.6", "libdl.so.2", "libgcc_s.so.1", "libgomp.so.1", "libm.so.6", "libpthread.so.0", "librt.so.1", "libstdc++.so.6", "libz.so.1",
)


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def jar(folder, to):
    """Writes a folder of classes as a jar; without the times of its files."""
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as out:
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            out.writestr(zipfile.ZipInfo(file.relative_to(folder).as_posix()), file.read_bytes())


def libraries(of):
    """Returns the paths of the shared libraries that files are linked with."""
    lines = output("ldd", *of)
    return set(re.findall(r"(/\S+) \(0x", lines))


def main(archive, name, class_path, main_class):
    java = java_home()
    with tempfile.TemporaryDirectory() as work:
        root = pathlib.Path(work, "root")
        libs = root / "app/libs"
        libs.mkdir(parents=True)
        jars = []
        for number, entry in enumerate(filter(None, class_path.split(os.pathsep))):
            path = pathlib.Path(entry)
            if path.is_dir():
                jars.append(f"{number:03}-classes.jar")
                jar(path, libs / jars[-1])
            elif path.is_file():
                jars.append(f"{number:03}-{path.name}")
                shutil.copyfile(path, libs / jars[-1])
        runtime = root / "opt/java"
        runtime.parent.mkdir()
        output(
            str(java / "bin/jlink"), "--add-modules", MODULES, "--strip-debug", "--no-header-files", "--no-man-pages",
            "--output", str(runtime),
        )
        cache = dict(re.findall(r"^\s*(\S+) \(libc6,\S+\) => (\S+)$", output("/sbin/ldconfig", "-p"), re.M))
        extra = [cache[library] for library in LIBRARIES if library in cache]
        linked = [str(runtime / "bin/java"), *map(str, sorted(runtime.rglob("*.so"))), *extra]
        for library in sorted(libraries(linked) | set(extra)):
            if not library.startswith(work):
                to = root / library.lstrip("/")
                to.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(library, to)
                to.chmod(0o755)
        (root / "tmp").mkdir()
        (root / "tmp").chmod(0o1777)
        (root / "etc").mkdir(exist_ok=True)
        (root / "etc/passwd").write_text("app:x:1000:1000::/tmp:/sbin/nologin\n")
        (root / "etc/nsswitch.conf").write_text("hosts: files dns\n")
        image.main(
            archive, name, str(root), "/opt/java/bin/java", "-cp", ":".join(f"/app/libs/{jar}" for jar in jars), main_class,
            user="1000:1000", path="/opt/java/bin", home="/tmp",
        )


def java_home():
    """Returns the folder of the JDK whose java is first on the path."""
    java = shutil.which("java")
    if java is None:
        sys.exit("java_image.py: java is not on the PATH; install a JDK 17 or newer")
    return pathlib.Path(java).resolve().parent.parent


if __name__ == "__main__":
    main(*sys.argv[1:])
