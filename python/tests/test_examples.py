"""The examples run; the hints name what there is; the documentation's programs run."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
from pathlib import Path
from typing import Iterator, Tuple

import pytest
import zermelo
from zermelo import _zermelo

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("file", sorted((ROOT / "python" / "examples").glob("*.py")), ids=lambda file: file.stem)
def test_an_example_runs(file: Path, tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, file], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout or list(tmp_path.iterdir())


def programs() -> Iterator[Tuple[str, str]]:
    for file in ("README.md", "docs/python.md"):
        text = (ROOT / file).read_text(encoding="utf-8")
        for number, found in enumerate(re.findall(r"```python\n(.*?)```", text, re.DOTALL)):
            yield f"{file}-{number + 1}", found


@pytest.mark.parametrize("program", [pytest.param(text, id=name) for name, text in programs()])
def test_a_program_of_the_documentation_runs(program: str, tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_hints_name_what_there_is() -> None:
    hints = ast.parse((Path(zermelo.__file__).parent / "_zermelo.pyi").read_text(encoding="utf-8"))
    classes = {node.name: node for node in hints.body if isinstance(node, ast.ClassDef)}
    functions = {node.name for node in hints.body if isinstance(node, ast.FunctionDef)}
    there = {name for name in vars(_zermelo) if not name.startswith("__")} - {"CHANCE", "SIMULTANEOUS", "TERMINAL"}
    assert there == set(classes) | functions
    for name, node in classes.items():
        hinted = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
        members = {member for member in vars(getattr(_zermelo, name)) if not member.startswith("__")}
        assert members - hinted == set(), name
        assert all(hasattr(getattr(_zermelo, name), part) for part in hinted), name


def said(thing: object) -> str:
    """Its docstring, without the signatures that pybind11 writes."""
    text = inspect.getdoc(thing) or ""
    return re.sub(r"^(\d+\. )?\w+\(.*\)( -> .*)?$|^Overloaded function\.$", "", text, flags=re.MULTILINE).strip()


def members(kind: type) -> Iterator[Tuple[str, object]]:
    """What is public in a class of ours and in its bases; fields of data classes are told of by comments."""
    for base in kind.__mro__:
        if base.__module__.startswith("zermelo"):
            for name, member in vars(base).items():
                if not name.startswith("_") and (callable(member) or isinstance(member, property)):
                    yield f"{kind.__name__}.{name}", member


def everything_public() -> Iterator[Tuple[str, object]]:
    modules = [thing for thing in vars(zermelo).values() if inspect.ismodule(thing) and "zermelo." in thing.__name__]
    for module in [zermelo, *(module for module in modules if not module.__name__.endswith("._zermelo"))]:
        yield module.__name__, module
        for name in getattr(module, "__all__", []):
            thing = getattr(module, name)
            if inspect.isclass(thing):
                yield from members(thing)
            if callable(thing):
                yield f"{module.__name__}.{name}", thing


def test_help_says_something_of_everything_public() -> None:
    found = dict(everything_public())
    assert {"State.is_terminal", "Strategy.arrays", "zermelo.models.total", "Verdict.strategy"} <= set(found)
    assert [name for name, thing in found.items() if not said(thing)] == []
