"""The build backend of `pip install .` (PEP 517): a wheel from what CMake builds. It needs the standard library only.

The module is built in the folder `build` where that has one for this Python already, and otherwise in `build-python`;
`--config-settings build-dir=FOLDER` asks for another one.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path
from typing import Dict, Iterator, Optional, Tuple

ROOT = Path(__file__).resolve().parent.parent
PLACES = '''"""Where the games and the MiniZinc library are: in the package."""

import os

GAMES = os.path.join(os.path.dirname(__file__), "share", "games")
MINIZINC = os.path.join(os.path.dirname(__file__), "share", "minizinc")
'''


def _version() -> str:
    found = re.search(r"project\(zermelo VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())
    assert found
    return found.group(1)


def _built(settings: Optional[Dict[str, str]]) -> Path:
    """The package as CMake builds it."""
    extension = Path("python", "zermelo", "_zermelo" + sysconfig.get_config_var("EXT_SUFFIX"))
    folder = ROOT / "build"
    if settings and "build-dir" in settings:
        folder = Path(settings["build-dir"]).resolve()
    elif not (folder / extension).exists():
        folder = ROOT / "build-python"
    if not (folder / extension).exists():
        options = ["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DBUILD_TESTING=OFF", "-DZERMELO_PAGE=OFF"]
        options += ["-DZERMELO_MPI=OFF", "-DZERMELO_PYTHON=ON", "-DPython_EXECUTABLE=" + sys.executable]
        subprocess.run(["cmake", "-S", ROOT, "-B", folder, *options], check=True)
    subprocess.run(["cmake", "--build", folder, "--target", "python"], check=True)
    return (folder / extension).parent


def _contents(package: Path) -> Iterator[Tuple[str, bytes]]:
    for file in sorted((ROOT / "python" / "zermelo").iterdir()):
        if file.suffix in (".py", ".pyi", ".typed") or file.name == "py.typed":
            yield f"zermelo/{file.name}", file.read_bytes()
    extension = "_zermelo" + sysconfig.get_config_var("EXT_SUFFIX")
    yield f"zermelo/{extension}", (package / extension).read_bytes()
    yield "zermelo/_places.py", PLACES.encode()
    for name, folder in (("games", ROOT / "games"), ("minizinc", ROOT / "share" / "minizinc" / "zermelo")):
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                yield f"zermelo/share/{name}/{file.relative_to(folder).as_posix()}", file.read_bytes()


def _metadata() -> str:
    project = (ROOT / "pyproject.toml").read_text()
    found = re.search(r'^description = "(.*)"', project, re.MULTILINE)
    assert found
    return (
        f"Metadata-Version: 2.1\nName: zermelo\nVersion: {_version()}\nSummary: {found.group(1)}\n"
        "Requires-Python: >=3.9\nProvides-Extra: arrays\nRequires-Dist: numpy; extra == 'arrays'\n"
    )


def _tag() -> str:
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{re.sub('[-.]', '_', sysconfig.get_platform())}"


def _write_wheel(folder: str, contents: Iterator[Tuple[str, bytes]]) -> str:
    name = f"zermelo-{_version()}-{_tag()}.whl"
    about = f"zermelo-{_version()}.dist-info"
    record = []

    def add(archive: zipfile.ZipFile, path: str, data: bytes) -> None:
        entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
        entry.external_attr = 0o644 << 16
        archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record.append(f"{path},sha256={digest},{len(data)}")

    with zipfile.ZipFile(os.path.join(folder, name), "w") as archive:
        for path, data in contents:
            add(archive, path, data)
        add(archive, f"{about}/METADATA", _metadata().encode())
        wheel = f"Wheel-Version: 1.0\nGenerator: zermelo\nRoot-Is-Purelib: false\nTag: {_tag()}\n"
        add(archive, f"{about}/WHEEL", wheel.encode())
        add(archive, f"{about}/LICENSE", (ROOT / "LICENSE").read_bytes())
        record.append(f"{about}/RECORD,,")
        archive.writestr(f"{about}/RECORD", "\n".join(record) + "\n")
    return name


def build_wheel(
    wheel_directory: str,
    config_settings: Optional[Dict[str, str]] = None,
    metadata_directory: Optional[str] = None,
) -> str:
    return _write_wheel(wheel_directory, _contents(_built(config_settings)))


def build_editable(
    wheel_directory: str,
    config_settings: Optional[Dict[str, str]] = None,
    metadata_directory: Optional[str] = None,
) -> str:
    """`pip install -e .` points at the build tree."""
    path = str(_built(config_settings).parent) + "\n"
    return _write_wheel(wheel_directory, iter([("zermelo.pth", path.encode())]))


def build_sdist(sdist_directory: str, config_settings: Optional[Dict[str, str]] = None) -> str:
    """What is in the repository."""
    name = f"zermelo-{_version()}"
    target = os.path.join(sdist_directory, name + ".tar.gz")
    subprocess.run(["git", "-C", ROOT, "archive", f"--prefix={name}/", "-o", target, "HEAD"], check=True)
    return os.path.basename(target)
