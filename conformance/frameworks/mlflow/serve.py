"""Becomes MLflow's own server on a free loopback port, in a session of its own: serve.py FOLDER. Writes
its process, which is the session's, and the port to FOLDER/group and FOLDER/port.
"""

import os
import socket
import sys

folder = sys.argv[1]
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
os.setsid()
with open(folder + "/group", "w") as file:
    file.write(str(os.getpid()))
with open(folder + "/port.new", "w") as file:
    file.write(str(port))
os.rename(folder + "/port.new", folder + "/port")
# The jobs are MLflow's evaluations of language models; nothing here needs their processes.
os.environ.update(MLFLOW_SERVER_ENABLE_JOB_EXECUTION="false", MLFLOW_DISABLE_TELEMETRY="true")
os.execv(
    sys.executable,
    [sys.executable, "-m", "mlflow", "server", "--host", "127.0.0.1", "--port", str(port), "--workers", "1"]
    + ["--backend-store-uri", "sqlite:///" + folder + "/store.db", "--artifacts-destination", folder + "/artifacts"],
)
