"""`roofline-sym solve`: for which value of an input a result has a given value, all of them or none."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from typing import Annotated, Any

import typer
from rich.markup import escape

from roofline_sym.cli.given import DeviceName, Format, ModelName, scenario_for
from roofline_sym.cli.terminal import FINDING, Json, Values, fail, out
from roofline_sym.core.numbers import Number, fraction
from roofline_sym.core.quantity import Constant, Quantity
from roofline_sym.core.reading import did_you_mean
from roofline_sym.core.substitution import NO_BREAK, printed
from roofline_sym.core.text import TextError, read_number_and_unit, read_value, scale, shown
from roofline_sym.core.units import PLAIN, agree, unit_text
from roofline_sym.library import BOOK
from roofline_sym.solving import NotSolvableError, Solution, Solved, check_question, solve

_TIMES = re.compile(r"\s*([0-9][0-9_.eE+-]*)\s*[*·×]\s*([A-Za-z_][A-Za-z0-9_]*)\s*")
_EXTREMES = ("min", "max")


def solve_command(
    asked: Annotated[
        str, typer.Argument(metavar="TARGET=VALUE", help="VALUE: 33 ms, another quantity, 2*quantity, min or max.")
    ],
    values: Values = None,
    unknown: Annotated[str, typer.Option("--for", help="The input to solve for.")] = "",
    span: Annotated[
        str | None, typer.Option("--range", help="Where to search, such as '1..4096' or '1..4 TB/s'.")
    ] = None,
    model: ModelName = None,
    device: DeviceName = None,
    number_format: Format = None,
    as_json: Json = False,
) -> None:
    """Solve for an input: in closed form where there is one, else every root in its range. Exit code 1 if none is.

    For example: roofline-sym solve decode_intensity_short=ridge_point --for batch_size --model llama-3-70b
    --hardware h100-sxm-80gb weight_bytes='2 byte/parameter'
    """
    task = f"{shown(asked)} cannot be solved"
    target, wanted, times, searched = _read(asked, unknown, span, task)
    sides = [target, *([wanted] if isinstance(wanted, str) and wanted not in _EXTREMES else [])]
    scenario = scenario_for(sides, values, model, device, number_format, task=task, free=unknown)
    try:
        found = solve(scenario, target, wanted, unknown, times=times, span=searched)
    except NotSolvableError as error:
        fail(f"{task}:", [str(error)])
    except ModuleNotFoundError as error:
        if not str(error.name).startswith("scipy"):
            raise
        fail(f"{task} in closed form, and searching needs SciPy:", ["pip install 'roofline_sym[analysis]'"])
    if as_json:
        print(json.dumps(found.as_json(), indent=2, ensure_ascii=False))
    else:
        print_solved(found)
    if not found.sensible and not found.stretches:
        raise typer.Exit(FINDING)


def _read(asked: str, unknown: str, span: str | None, task: str) -> tuple[str, Number | str, Fraction, Any]:
    """The quantity, what it must be, what that is multiplied by, and where to search; or all that is wrong."""
    name, sign, text = asked.partition("=")
    target, quantities = name.strip(), {n: q for n, q in BOOK.quantities.items() if not isinstance(q, Constant)}
    wrong = [] if sign else [f"{shown(asked)} is not TARGET=VALUE; write it like decode_step_time='33 ms'"]
    if target not in quantities:
        wrong.append(f"no quantity is called {shown(target)}{did_you_mean(target[:60], quantities)}")
    if not unknown:
        wrong.append("what for? give --for, with the name of an input")
    elif unknown not in quantities:
        wrong.append(f"no input is called {shown(unknown)}{did_you_mean(unknown[:60], quantities)}")
    wanted: Number | str = Fraction(1)
    times, searched = Fraction(1), None
    try:
        if sign and target in quantities:
            wanted, times = _wanted(text, quantities[target])
            other = quantities[wanted] if isinstance(wanted, str) and wanted not in _EXTREMES else None
            if unknown in quantities:
                check_question(quantities[target], other, quantities[unknown])
    except (TextError, NotSolvableError) as error:
        wrong.append(str(error))
    try:
        searched = None if span is None or unknown not in quantities else _range(span, quantities[unknown])
    except TextError as error:
        wrong.append(f"--range: {error}")
    if wrong:
        fail(f"{task}:", wrong)
    return target, wanted, times, searched


def _wanted(text: str, lhs: Quantity) -> tuple[Number | str, Fraction]:
    """What stands right of the sign: a number, or a quantity and what it is multiplied by."""
    text = text.strip()
    if text in _EXTREMES:
        return text, Fraction(1)
    times, name = (None, text)
    if product := _TIMES.fullmatch(text[:200]):
        times, name = product.groups()
    if name in BOOK.quantities and not isinstance(BOOK.quantities[name], Constant):
        return name, Fraction(1) if times is None else fraction(read_number_and_unit(times)[0])
    if times is not None or re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", text[:200]):
        raise TextError(f"no quantity is called {shown(name)}{did_you_mean(name[:60], BOOK.quantities)}")
    return fraction(read_value(text, lhs)), Fraction(1)


def _range(text: str, along: Quantity) -> tuple[Any, Any]:
    """Two numbers and a unit, ``1..4 TB/s``; the lower one may have a unit of its own."""
    first, dots, last = text.partition("..")
    if not dots:
        raise TextError(f"{shown(text)} is no range; write it like 1..4096 or '1..4 TB/s'")
    (low, low_unit), (high, unit) = read_number_and_unit(first), read_number_and_unit(last)
    low_unit = unit if low_unit == PLAIN else low_unit
    try:
        low, high = (number * scale(u, along) for number, u in ((low, low_unit), (high, unit)))
    except TextError as error:
        plain = agree(unit, PLAIN)
        raise TextError(
            f"{shown(text)} {error}" + (f", as in '1..2 {unit_text(along.unit)}'" if plain else "")
        ) from None
    if not 0 <= low < high:
        raise TextError(f"{shown(text)} must begin at 0 or above, and end above where it begins")
    return low, high


def print_solved(found: Solved) -> None:
    """Every solution with its formula, or why there is none."""
    target, along = found.target, found.unknown
    out.print(f"[bold]{escape(_question(found))}[/]", soft_wrap=True)
    for solution in found.solutions:
        _print_solution(solution, found)
    for low, high in found.stretches:
        out.print(f"  every {along.name} from {_text(low, along)} to {_text(high, along)}", soft_wrap=True)
    for jump in found.jumps:
        before, after = (_text(side, target, 6) for side in (jump.before, jump.after))
        out.print(
            f"  at {along.name} = {_text(jump.value, along, 8)} it jumps from {before} to {after}", soft_wrap=True
        )
    if found.goal == "equal":
        _print_verdict(found)


def _print_verdict(found: Solved) -> None:
    low, high, by = found.searched
    span = f"{_text(fraction(low), found.unknown)} to {_text(fraction(high), found.unknown)} ({by})"
    how = "in closed form, whatever the range" if found.complete else f"searched from {span}"
    if found.complete and any(not solution.formula for solution in found.solutions):
        how += "; the formula is too long to be read"
    count = len(found.solutions)
    if found.stretches:
        return
    if count == 0:
        out.print(f"  [yellow]no solution[/] [dim]({escape(how)})[/]", soft_wrap=True)
        ends = [None if end is None else _text(end, found.target, 4) for end in found.ends]
        if None not in ends:
            out.print(f"  over {escape(span)}, {found.target.name} goes from {ends[0]} to {ends[1]}", soft_wrap=True)
        return
    told = "the only solution" if count == 1 else f"{count} solutions"
    out.print(f"  [dim]{told}, {escape(how)}[/]", soft_wrap=True)


def _print_solution(solution: Solution, found: Solved) -> None:
    along, target = found.unknown, found.target
    style = "yellow" if solution.beyond else "green"
    told = f"{along.name} = {_text(solution.value, along, 6)}"
    at = f", where {target.name} = {_text(solution.target, target, 6)}" if found.goal != "equal" or found.other else ""
    out.print(f"  [{style}]{escape(told)}[/]{escape(at)}", soft_wrap=True)
    if solution.formula:
        out.print(f"    [cyan]= {escape(solution.formula)}[/]", soft_wrap=True)
    if solution.end:
        out.print(f"    [yellow]at {solution.end}: it may go on beyond[/]", soft_wrap=True)
    if solution.beyond:
        out.print(f"    [yellow]{escape(solution.beyond)}[/]", soft_wrap=True)
    if len(solution.whole) > 1:
        for near in solution.whole:
            value = "no value" if near.target is None else _text(near.target, target, 6)
            out.print(f"    {along.name} = {_text(near.value, along)}: {target.name} = {value}", soft_wrap=True)


def _question(found: Solved) -> str:
    if found.goal != "equal":
        return f"{found.target.name} is at its {found.goal}"
    if found.other is None:
        return f"{found.target.name} = {_text(found.wanted or Fraction(0), found.target, 8)}"
    times = "" if found.times == 1 else f"{float(found.times):g} × "
    return f"{found.target.name} = {times}{found.other.name}"


def _text(value: Any, quantity: Quantity, digits: int = 4) -> str:
    number = value if isinstance(value, Fraction) else Fraction(value)
    return printed(number, quantity, digits).text.replace(NO_BREAK, " ")
