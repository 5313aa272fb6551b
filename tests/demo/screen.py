"""What the demo writes on the terminal: headings, progress, commands with their output, checks."""

import contextlib
import os
import sys
import textwrap
import time

WIDTH = 96

_STYLES = {
    "bold": "1", "dim": "2", "good": "32", "bad": "1;31", "busy": "2", "free": "",
    "drained": "1;37;41",
    "A": "1;37;44", "B": "1;30;42", "C": "1;37;45", "D": "1;30;46", "1": "1;37;44", "2": "1;30;42",
}


def _unicode_locale():
    """Whether the user's locale is UTF-8; Python's own choice of encoding does not tell."""
    value = next((os.environ[name] for name in ("LC_ALL", "LC_CTYPE", "LANG")
                  if os.environ.get(name)), "")
    return "utf-8" in value.lower() or "utf8" in value.lower()


class Screen:
    """Writes to standard output; colour on a terminal only, and never with NO_COLOR."""

    def __init__(self):
        self.out = sys.stdout
        self.colour = (self.out.isatty() and not os.environ.get("NO_COLOR")
                       and os.environ.get("TERM", "dumb") != "dumb")
        self.unicode = _unicode_locale()
        self.failures = []
        if hasattr(self.out, "reconfigure"):
            self.out.reconfigure(encoding="utf-8" if self.unicode else "ascii", errors="replace")

    def paint(self, text, style):
        code = _STYLES.get(style, "")
        return f"\033[{code}m{text}\033[0m" if self.colour and code else text

    def glyph(self, fancy, plain):
        return fancy if self.unicode else plain

    def line(self, text=""):
        self.out.write(text + "\n")
        self.out.flush()

    def chapter(self, text):
        rule = self.glyph("─", "-") * max(2, WIDTH - len(text) - 4)
        self.line()
        self.line(self.paint(f"{self.glyph('──', '--')} {text} {rule}", "bold"))
        self.line()

    def say(self, text, style=""):
        """A paragraph."""
        for line in textwrap.wrap(" ".join(text.split()), WIDTH - 2, break_on_hyphens=False):
            self.line("  " + self.paint(line, style))

    @contextlib.contextmanager
    def step(self, text):
        """A progress line: what is being waited for, then how long it took."""
        self.out.write(f"  {self.glyph('…', '...')} {text}")
        self.out.flush()
        began = time.monotonic()
        try:
            yield
        except BaseException:
            self.line()
            raise
        self.line(self.paint(f"  {time.monotonic() - began:.1f} s", "dim"))

    def command(self, line, output, prompt="$"):
        """A command that was run, and what it printed."""
        self.line("  " + self.paint(f"{prompt} {line}", "bold"))
        for row in output.rstrip("\n").splitlines():
            self.line(("  " + row).rstrip())

    def check(self, holds, text):
        """One expectation of the story. The demo goes on, and ends with an error if one fails."""
        mark = self.paint(self.glyph("✓", "ok:"), "good") if holds else self.paint(
            self.glyph("✗", "NOT SO:"), "bad")
        self.line(f"  {mark} {text}")
        if not holds:
            self.failures.append(text)
