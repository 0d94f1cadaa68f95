"""Execute notebooks and keep the copies with their outputs: ``python -m evals.run_notebooks [--out DIR] FILE…``."""

import argparse
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

SECONDS = 600
"""That a cell may take; a model may be slow."""
KEPT = Path("build/notebooks")


def execute(path: Path) -> Any:
    """The notebook with its outputs. Raises what its first failing cell raised, as text."""
    reader: Any = nbformat
    notebook = reader.read(path, as_version=4)
    client: Any = NotebookClient(notebook, timeout=SECONDS, resources={"metadata": {"path": str(path.parent)}})
    return client.execute()


def main() -> None:
    """Execute each and say where its copy is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("notebooks", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, default=KEPT)
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    writer: Any = nbformat
    for path in asked.notebooks:
        kept = asked.out / path.name
        writer.write(execute(path), kept)
        print(kept)


if __name__ == "__main__":
    main()
