"""The page "from endplay to setrograde" runs: both say the same."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[1] / "endplay.md"


def test_the_page_runs():
    pytest.importorskip("endplay")
    code = "\n".join(re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL))
    exec(compile(code, str(PAGE), "exec"), {})
