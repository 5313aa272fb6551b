"""The guides name nothing that does not exist: commands, options, keys, files, links."""

import json
import re
import shlex
import subprocess

import pytest
from conftest import BUILD, ROOT, code_blocks, inline_code, pages

PAGES = pages()
END_OF_COMMAND = {"|", "&&", "||", ">", ";", "<"}


def commands_of(text):
    """The `yardmaster ...` command lines of a page, as lists of words."""
    lines = [line.strip().removeprefix("$ ") for _, body in code_blocks(text) for line in body]
    found = []
    for line in lines + inline_code(text):
        line = re.sub(r"^[A-Z_]+=\S+ ", "", line)  # a variable for the one command
        if not line.startswith("yardmaster ") or "[-" in line:  # "[--json]": a synopsis
            continue
        words = shlex.split(re.split(r" {2,}", line)[0])  # behind two spaces stands an explanation
        end = next((i for i, word in enumerate(words) if word in END_OF_COMMAND), len(words))
        if "COMMAND" not in words and "..." not in words:
            found.append(words[1:end])
    return found


# A command may be named without its arguments: `yardmaster explain`.
NAMES = {tuple(name.split()) for name in
         re.findall(r"^### yardmaster (.*)$", PAGES["docs/commands.md"], re.M)}
ALL_COMMANDS = sorted({(name, *words) for name, text in PAGES.items() for words in commands_of(text)
                       if tuple(words) not in NAMES})


def test_enough_commands_are_found():
    assert len(ALL_COMMANDS) > 20


@pytest.mark.parametrize("line", ALL_COMMANDS, ids=" ".join)
def test_command_line_is_understood(line, docgen):
    done = docgen("parse", *line[1:])
    assert done.returncode == 0, f"{line[0]}: yardmaster {' '.join(line[1:])}: {done.stderr}"


def test_a_wrong_command_line_is_not_understood(docgen):
    assert docgen("parse", "plan", "f.json", "--nodse", "8").returncode == 1


def slug(heading):
    """The anchor of a heading, as GitHub makes it."""
    kept = re.sub(r"[^\w\- ]", "", heading.strip().lower())
    return kept.replace(" ", "-")


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_somewhere(name):
    for target in re.findall(r"\]\(([^)\s]+)\)", PAGES[name]):
        if target.startswith(("http:", "https:")):
            continue
        path, _, anchor = target.partition("#")
        file = (ROOT / name).parent / path if path else ROOT / name
        assert file.exists(), f"{name}: {target}"
        if anchor:
            headings = re.findall(r"^#+ (.*)$", file.read_text(), re.M)
            assert anchor in map(slug, headings), f"{name}: {target}"


ROOMS = sorted(path.name for path in ROOT.iterdir() if path.is_dir() and path.name[0] not in ".b")
ROOMS += ["base", "bench"]


@pytest.mark.parametrize("name", PAGES)
def test_files_that_are_named_exist(name):
    for code in inline_code(PAGES[name]):
        if re.fullmatch(rf"(?:{'|'.join(ROOMS)})/[\w./-]*\w", code):
            home = (ROOT / name).parent
            assert (ROOT / code).exists() or (home / code).exists(), f"{name}: {code}"


def test_every_dev_command_exists():
    known = subprocess.run([ROOT / "dev", "help"], text=True, capture_output=True, check=True).stdout
    known = set(re.findall(r"^  (\w+) ", known, re.M))
    for name, text in PAGES.items():
        for word in re.findall(r"\./dev ([a-z]+)", text):
            assert word in known, f"{name}: ./dev {word}"


def policy_keys():
    """Of yardmaster.json, as docs/configuration.md lists them; a unit test holds that to the code."""
    return set(re.findall(r"^\| `([a-z_.]+)` \|.*since", PAGES["docs/configuration.md"], re.M))


def leaves(value, path=""):
    if not isinstance(value, dict):
        return [path]
    return [leaf for key, below in value.items() for leaf in leaves(below, f"{path}.{key}".lstrip("."))]


def test_every_policy_key_that_is_mentioned_exists():
    keys = policy_keys()
    assert "health.enforce" in keys
    sections = "|".join(sorted({key.partition(".")[0] for key in keys}))
    for name, text in PAGES.items():
        for code in inline_code(text):
            if re.fullmatch(rf"(?:{sections})\.[a-z_.]+", code):
                assert any(key == code or key.startswith(code + ".") for key in keys), f"{name}: {code}"


def json_blocks():
    return [(name, "\n".join(body)) for name, text in PAGES.items()
            for language, body in code_blocks(text) if language == "json"]


def test_examples_of_the_policy_have_known_keys():
    examples = [(name, json.loads(body)) for name, body in json_blocks() 
                if '"health"' in body or '"placement"' in body]
    assert examples
    for name, example in examples:
        assert set(leaves(example)) <= policy_keys(), name


def test_examples_of_the_fabric_file_are_right(tmp_path):
    examples = [(name, body) for name, body in json_blocks() if '"version"' in body]
    assert len(examples) >= 2
    for name, body in examples:
        file = tmp_path / "fabric.json"
        file.write_text(body)
        done = subprocess.run([BUILD / "cli/yardmaster", "fabric", "check", file], text=True,
                              capture_output=True, check=False)
        assert done.stderr == "", f"{name}: {done.stderr}"


def test_every_key_of_the_fabric_file_is_documented_and_no_other():
    reader = (ROOT / "topology/fabric_reader.cpp").read_text()
    known = {key for keys in re.findall(r"only_keys\(\s*\{([^}]*)\}", reader)
             for key in re.findall(r'"(\w+)"', keys)}
    page = PAGES["docs/fabric-file.md"]
    told = set(re.findall(r"^\| `(\w+)` \|", page, re.M))
    assert "oversubscription" in known
    assert told <= known
    for key in known:  # those of small objects stand in the text: `nic`, "gpu": 2
        assert f"`{key}`" in page or f'"{key}":' in page, key


def test_every_variable_that_the_command_asks_for_is_documented():
    asked = set()
    for room in ("base", "cli", "healthcheck", "prolog", "topology", "replay", "plugin"):
        for file in (ROOT / room).rglob("*.c*"):
            if "spank" in file.parts:  # in slurmd's prolog, where Slurm sets them
                continue
            asked |= set(re.findall(r'getenv\("(\w+)"\)', file.read_text()))
    assert "SLURM_CONF" in asked
    for name in asked:
        assert f"| `{name}` |" in PAGES["docs/commands.md"], name
