"""The rooms share one namespace and are linked into one program: two types of one name in two headers
would be taken for each other by the linker, without a word."""

import collections
import glob
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ROOMS = ["base", "topology", "replay", "healthcheck", "plugin", "prolog", "cli"]
DEFINED = re.compile(r"^(?:struct|class|enum|enum class) (?:\[\[\w+\]\] )?(\w+)(?: final)?(?: : [^;{]+)? \{",
                     re.MULTILINE)


def headers_by_type():
    found = collections.defaultdict(set)
    for room in ROOMS:
        for header in glob.glob(os.path.join(ROOT, room, "**", "*.hpp"), recursive=True):
            with open(header, encoding="utf-8") as file:
                for name in DEFINED.findall(file.read()):
                    found[name].add(os.path.relpath(header, ROOT))
    return found


def test_every_type_is_defined_in_one_header():
    found = headers_by_type()
    assert {"Fabric", "Placer", "Status"} <= set(found), "the headers are not read as they are written"
    assert {name: files for name, files in found.items() if len(files) > 1} == {}
