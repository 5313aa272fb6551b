"""The output in docs/replay.md is what the command prints."""

import subprocess

from conftest import BUILD, ROOT, code_blocks

PAGE = (ROOT / "docs" / "replay.md").read_text()


def test_example_prints_what_the_page_shows(tmp_path):
    shown = next(body for _, body in code_blocks(PAGE) if body[0].startswith("$ yardmaster replay"))
    words = shown[0].removeprefix("$ yardmaster ").split()
    words[-1] = tmp_path / words[-1]  # the picture
    done = subprocess.run([BUILD / "cli/yardmaster", *words], cwd=ROOT, text=True,
                          capture_output=True, check=True)
    assert done.stdout.splitlines() == shown[1:]
    assert (tmp_path / "day.svg").read_text().endswith("</svg>\n")
