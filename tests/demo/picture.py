"""Draws the cluster: a box a pod, a row a leaf group, a cell a server; and tables of facts."""

BUSY, DRAINED = "#", "x"  # in `who`: another user's job; a drained server


# mark: (fancy glyph, plain glyph, style, meaning)
_MARKS = {BUSY: ("▒", "#", "busy", "another user's job"),
          DRAINED: ("✗", "x", "drained", "drained"),
          "": ("·", ".", "free", "free")}


def _cell(screen, mark, digits):
    if mark in _MARKS:
        fancy, plain, style, _ = _MARKS[mark]
        return screen.paint(screen.glyph(fancy, plain) + digits, style)
    return screen.paint(mark + digits, mark)


def _cluster_lines(screen, shape, who, numbers):
    """The boxes as lines of one width. `who` says per node: "" or a mark or a job's letter."""
    label, cell = max(len(leaf.name) for leaf in shape.leaves), 4 if numbers else 2
    inner = label + cell * max(len(leaf.nodes) for leaf in shape.leaves) + 3
    dash, bar = screen.glyph("─", "-"), screen.glyph("│", "|")
    corners = screen.glyph("┌┐└┘", "++++")
    lines = []
    for pod in dict.fromkeys(leaf.pod for leaf in shape.leaves):
        lines.append(f"{corners[0]}{dash} {pod} {dash * (inner - len(pod) - 3)}{corners[1]}")
        for leaf in (leaf for leaf in shape.leaves if leaf.pod == pod):
            cells = " ".join(_cell(screen, who.get(node, ""), node[-2:] if numbers else "")
                             for node in leaf.nodes)
            blanks = " " * (inner - label - 2 - cell * len(leaf.nodes))
            lines.append(f"{bar} {leaf.name:<{label}}  {cells}{blanks}{bar}")
        lines.append(f"{corners[2]}{dash * inner}{corners[3]}")
    return inner + 2, lines


def draw(screen, shape, pictures, letters, numbers=True):
    """`pictures`: [(title, {node: mark})], side by side; `letters` says what letters mean."""
    drawn = [_cluster_lines(screen, shape, who, numbers) for _, who in pictures]
    screen.line()
    titles = "   ".join(f"{title:<{width}}" for (title, _), (width, _) in zip(pictures, drawn))
    screen.line("  " + screen.paint(titles.rstrip(), "bold"))
    for row in zip(*(lines for _, lines in drawn)):
        screen.line("  " + "   ".join(row))
    used = {who.get(node, "") for _, who in pictures for node in shape.nodes}
    legend = [f"{'/'.join(sorted(used - set(_MARKS)))} {letters}"]
    legend += [f"{screen.glyph(fancy, plain)} {meaning}"
               for mark, (fancy, plain, _, meaning) in _MARKS.items() if mark in used]
    legend += [f"03 is {shape.nodes[0][:-2]}03"] if numbers else []
    screen.line("  " + screen.paint("   ".join(legend), "dim"))
    screen.line()


def table(screen, heading, columns, rows):
    """A plain table: `columns` are titles, `rows` are [label, cell, ...]."""
    widths = [max(len(row[i]) for row in [[heading, *columns], *rows])
              for i in range(len(columns) + 1)]
    for index, row in enumerate([[heading, *columns], *rows]):
        text = "   ".join(f"{cell:<{width}}" for cell, width in zip(row, widths)).rstrip()
        screen.line("  " + (screen.paint(text, "bold") if index == 0 else text))
    screen.line()


def comparison(screen, jobs, ways):
    """How the same jobs fared. `jobs`: {letter: nodes}; `ways`: [(title, {letter: Facts})]."""
    arrow = screen.glyph(" → ", " -> ")

    def row(label, value, total=None):
        cells = []
        for letter in jobs:
            facts = [results[letter] for _, results in ways]
            cells.append(arrow.join(str(value(f)) for f in facts)
                         + (f" of {total(facts[-1])}" if total else ""))
        return [label, *cells]

    rows = [
        row("leaf groups used", lambda f: f.leaf_groups),
        row("pods used", lambda f: f.pods),
        row("DP ring edges between leaf groups", lambda f: f.leaving_leaf, lambda f: f.ring_edges),
        row("DP ring edges between pods", lambda f: f.leaving_pod, lambda f: f.ring_edges),
        row("TP groups split over NVLink domains", lambda f: f.split, lambda f: f.tp_groups),
    ]
    table(screen, arrow.join(title for title, _ in ways),
          [f"{letter}: {count} servers" for letter, count in jobs.items()], rows)
