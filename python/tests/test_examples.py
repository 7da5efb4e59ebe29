"""The page of examples runs, and type checkers accept it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[1] / "examples.md"


def code():
    return "\n".join(re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL))


def test_the_page_runs():
    exec(compile(code(), str(PAGE), "exec"), {})


def test_types(tmp_path):
    pytest.importorskip("mypy")
    script = tmp_path / "use.py"
    script.write_text(
        "import numpy as np\n"
        "from numpy.typing import NDArray\n"
        "import setrograde as sg\n"
        "table: sg.Table = sg.table('N:A... K... Q... J...')\n"
        "tricks: int = table['NT', 'N']\n"
        "many: NDArray[np.int8] = sg.tables(['N:A... K... Q... J...'], threads=1)\n"
        "cards: list[sg.CardTricks] = sg.solve('N:A... K... Q... J...', 'NT', 'N')\n"
        "score: int = sg.par(table).score\n"
        "boards: list[str | None] = [board.deal for board in sg.read('x')]\n"
        "chances: list[float] = sg.ask('odds', 'q', db=sg.Database('x'))['chances']\n"
        "of: int = sg.ask('single_dummy', 'q', tricks=2)['of']\n"
        "class Mine(sg.Player):\n"
        "    def choose(self, view: sg.View) -> str:\n"
        "        return view.legal[0]\n"
        "gain: float = sg.tournament([Mine(), 'mu'])[0].mean\n"
        "chance: float = sg.View('q').beliefs().probability('E', 'SA')\n"
        "answer: dict[str, object] = sg.Desk().ask('table', question='N:A... K... Q... J...')\n"
    )
    for what in [[str(script)], ["-p", "setrograde"]]:
        run = subprocess.run(
            [sys.executable, "-m", "mypy", "--strict", *what],
            capture_output=True,
            text=True,
            cwd=tmp_path,
        )
        assert run.returncode == 0, run.stdout + run.stderr
