"""How long it takes to read a config and count its model, beside reading the file as JSON alone.

Run it with ``python benchmarks/counting.py``; rounds are interleaved, and the ratio is the median over them.
"""

import json
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from roofline_sym.catalogue import DATA, models, read_config
from roofline_sym.sheet import Sheet

ROUNDS = 9
GOAL = 20.0  # milliseconds a config, once imported


def seconds(work: Callable[[Path], object], files: list[Path]) -> float:
    """Time of one pass over all files."""
    start = time.perf_counter()
    for file in files:
        work(file)
    return time.perf_counter() - start


def main() -> None:
    """Measure, and print a table."""
    files = [DATA / "models" / f"{name}.json" for name in models]
    ways: dict[str, Callable[[Path], object]] = {
        "read as JSON": lambda file: json.loads(file.read_text(encoding="utf-8")),
        "read as a config": read_config,
        "read and counted": lambda file: Sheet(read_config(file), {}).as_json(),
    }
    for work in ways.values():
        work(files[0])  # what is loaded once is loaded before
    rounds = [{name: seconds(work, files) for name, work in ways.items()} for _ in range(ROUNDS)]
    print(f"{len(files)} configs, {ROUNDS} rounds; the goal is {GOAL:g} ms for one read and counted\n")
    print(f"{'':20}{'ms a config':>14}{'times JSON':>14}")
    for name in ways:
        each = median(r[name] for r in rounds) / len(files) * 1e3
        ratio = median(r[name] / r["read as JSON"] for r in rounds)
        print(f"{name:20}{each:14.2f}{ratio:14.1f}")


if __name__ == "__main__":
    main()
