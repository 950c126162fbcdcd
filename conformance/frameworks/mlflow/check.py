"""Reads a run back by MLflow's client and compares it with EDL's own report: check.py SERVER RUN FOLDER."""

import json
import sys

import numpy
from mlflow.tracking import MlflowClient

server, run_id, folder = sys.argv[1:]
with open(folder + "/expected.json") as file:
    expected = json.load(file)
client = MlflowClient(server)
run = client.get_run(run_id)


def same(what, found, wanted):
    if found != wanted:
        sys.exit(f"{what}: MLflow has {found}, expected {wanted}")


same("status", run.info.status, "FINISHED")
same("experiment", client.get_experiment(run.info.experiment_id).name, "edl check")
same("run name", run.info.run_name, "points")
same("parameters", run.data.params, expected["parameters"])
for name, points in expected["metrics"].items():
    found = {str(each.step): each.value for each in client.get_metric_history(run_id, "evaluation/" + name)}
    same("evaluation/" + name, found, points)
losses = [each for each in client.get_metric_history(run_id, "loss")]
same("a loss below that of chance at the end", losses[-1].value < 0.69, True)
same("step of the last loss", max(each.step for each in losses), expected["steps"])
same("records", run.data.metrics["records"], expected["records"])
same("reproduction", run.data.tags["edl.reproduce"][:100], expected["reproduce"][:100])
model = client.download_artifacts(run_id, "model/model.npz", folder)
with numpy.load(model) as found, numpy.load(folder + "/model.npz") as wanted:
    same("arrays", sorted(found.files), sorted(wanted.files))
    for name in wanted.files:
        same(name, found[name].tobytes(), wanted[name].tobytes())
    arrays = len(found.files)
import mlflow

print(
    f"MLflow {mlflow.__version__}: {len(run.data.params)} parameters, {len(losses)} losses, "
    f"{sum(map(len, expected['metrics'].values()))} values of evaluations by step, "
    f"the model of {arrays} arrays, {run.info.status}"
)
