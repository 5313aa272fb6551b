"""What the tests of the documentation share: the pages, and what was built from them."""

import os
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("YM_BUILD_DIR") or ROOT / "build")


def pages():
    """Every Markdown page of the project, by its path from the root."""
    listed = []
    for folder, below, files in os.walk(ROOT):
        below[:] = sorted(name for name in below
                          if not name.startswith(("build", ".")) and name != "CMakeFiles")
        listed += [pathlib.Path(folder, name) for name in sorted(files) if name.endswith(".md")]
    return {str(path.relative_to(ROOT)): path.read_text() for path in listed}


def code_blocks(text):
    """(language, lines) of each fenced block."""
    blocks = re.findall(r"^ *```(\w*)\n(.*?)^ *```$", text, re.M | re.S)
    return [(language, body.splitlines()) for language, body in blocks]


def inline_code(text):
    """What stands between backticks outside fenced blocks."""
    plain = re.sub(r"^ *```.*?^ *```$", "", text, flags=re.M | re.S)
    return [" ".join(code.split()) for code in re.findall(r"`([^`]+)`", plain)]


@pytest.fixture(scope="session")
def docgen():
    """docgen(WORD...) -> CompletedProcess of ym-docgen."""
    def run(*words):
        return subprocess.run([BUILD / "docgen/ym-docgen", *words], text=True, capture_output=True,
                              check=False)
    return run
