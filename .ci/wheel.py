"""Build the wheel of the commit at hand, the same bytes each time: ``python .ci/wheel.py [FOLDER]``.

Files come from the commit and not from the working tree, times are the commit's, permissions are fixed.
"""

import os
import subprocess
import sys
import tarfile
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent


def main(folder: Path) -> int:
    """Exit code 0 when the wheel lies in the folder; its name and SHA-256 are printed."""
    wheel = build(folder)
    print(f"{wheel}\nsha256 {sha256(wheel.read_bytes()).hexdigest()}")
    return 0


def build(folder: Path) -> Path:
    """The wheel of the commit at hand, in a folder. Raises ``CalledProcessError`` outside a clone."""
    commit_time = _git("log", "-1", "--format=%ct").decode().strip()
    with TemporaryDirectory() as source:
        with tarfile.open(fileobj=BytesIO(_git("archive", "HEAD"))) as archive:
            archive.extractall(source, filter="data")
        made = ("-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--disable-pip-version-check")
        times = {**os.environ, "SOURCE_DATE_EPOCH": commit_time}
        subprocess.run([sys.executable, *made, "--wheel-dir", folder, source], env=times, check=True, umask=0o022)
    return next(folder.glob("brain-*.whl"))


def _git(*command: str) -> bytes:
    return subprocess.run(["git", *command], cwd=ROOT, check=True, capture_output=True).stdout


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1] if len(sys.argv) > 1 else "dist").resolve()))
