"""Runs a notebook, and compares what its cells show with what the file has: execute.py FILE [--write].

A cell tagged "varies" shows something else each time and only has to run; one tagged "raises-exception" has to fail as before.
"""

import json
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

CELL_SECONDS = 300


def shown(cell):
    """What a cell shows, without what differs from run to run by nature."""
    seen = []
    for output in cell.get("outputs", []):
        if output["output_type"] == "stream":
            if seen and seen[-1][0] == output["name"]:
                seen[-1] = (output["name"], seen[-1][1] + output["text"])
            else:
                seen.append((output["name"], output["text"]))
        elif output["output_type"] == "error":
            seen.append(("error", output["ename"], output["evalue"]))
        else:
            seen.append(("value", dict(output["data"])))
    return seen


def text(seen):
    return json.dumps(seen, indent=1, ensure_ascii=False)


def mistakes(before, now):
    """What is wrong with a cell that ran, as text; nothing when it is as it should be."""
    seen = shown(now)
    tags = now.metadata.get("tags", [])
    failed = [f"{output[1]}: {output[2]}" for output in seen if output[0] == "error"]
    if failed and "raises-exception" not in tags:
        return "fails: " + "\n".join(failed)
    if not failed and "raises-exception" in tags:
        return "must fail, and does not"
    if "varies" not in tags and seen != shown(before):
        return f"shows\n{text(seen)}\nexpected\n{text(shown(before))}"
    return ""


def kept(cell, count):
    """The outputs as the file has them: nothing of when and by what they were made."""
    outputs = []
    for output in cell.outputs:
        kind = output["output_type"]
        if kind == "stream" and outputs and outputs[-1].get("name") == output["name"]:
            outputs[-1]["text"] += output["text"]
        elif kind == "stream":
            outputs.append(nbformat.v4.new_output(kind, name=output["name"], text=output["text"]))
        elif kind == "error":
            outputs.append(nbformat.v4.new_output(
                kind, ename=output["ename"], evalue=output["evalue"], traceback=output["evalue"].splitlines()))
        elif kind == "execute_result":
            outputs.append(nbformat.v4.new_output(kind, data=output["data"], execution_count=count))
        else:
            outputs.append(nbformat.v4.new_output(kind, data=output["data"]))
    return outputs


def main(file, write):
    path = Path(file)
    approved = nbformat.read(path, as_version=4)
    book = nbformat.read(path, as_version=4)
    NotebookClient(
        book, timeout=CELL_SECONDS, startup_timeout=60, kernel_name="java", record_timing=False, allow_errors=True,
        resources={"metadata": {"path": str(path.parent)}}).execute()
    cells = [pair for pair in zip(approved.cells, book.cells) if pair[1].cell_type == "code"]
    if write:
        for count, (before, now) in enumerate(cells, start=1):
            before.execution_count = count
            before.outputs = kept(now, count)
        nbformat.write(approved, path)
    wrong = [(now.source, wrong) for before, now in cells if (wrong := mistakes(before, now))]
    for source, wrong_how in wrong:
        print(f"{path.name}: the cell\n{source}\n{wrong_how}\n", file=sys.stderr)
    if wrong:
        sys.exit(f"{path.name}: {len(wrong)} cells; what is shown now and meant, conformance/notebooks/run --write writes into the file")


main(sys.argv[1], sys.argv[2:] == ["--write"])
