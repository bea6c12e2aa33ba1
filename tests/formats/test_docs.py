"""The example in docs/formats.md runs."""

import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs" / "formats.md"


def test_the_example_in_the_docs_runs() -> None:
    examples = re.findall(r"```python\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)
    assert examples
    for example in examples:
        exec(compile(example, str(DOCS), "exec"), {})
