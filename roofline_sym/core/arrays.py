"""How a kernel is called: with floats, which go to its scalar form, or with arrays, a block at a time, in place.

Everything is computed as float64 whatever it comes as; division by zero and undefined values follow IEEE 754 without a
warning. NumPy is all that this needs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from inspect import Parameter, Signature
from types import FunctionType, MappingProxyType
from typing import Any

import numpy as np
from numpy import ndarray

from roofline_sym.core.ieee import NEAR

BLOCK = 65536  #: points worked on at a time, so that what is in between stays in the cache
_NUMBERS = {float, int}
_FLOAT64 = np.dtype(np.float64)


def kernel(scalar: Callable[..., float], buffers: int = 0) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make the in-place form of an equation, and its scalar form, one public function.

    The in-place form takes the inputs, `out`, and so many further buffers.
    """

    def made(in_place: Callable[..., Any]) -> Callable[..., Any]:
        names = in_place.__code__.co_varnames[: scalar.__code__.co_argcount]
        over_arrays = _Arrays(in_place, scalar, names, buffers)

        def public(*args: Any, out: Any = None, **named: Any) -> Any:
            if out is not None:
                return over_arrays(args, named, out)
            for value in args:
                if type(value) is not float:
                    return over_arrays(args, named, None)
            if not named:
                return scalar(*args)
            for value in named.values():
                if type(value) is not float:
                    return over_arrays(args, named, None)
            return scalar(*args, **named)

        public.__name__, public.__qualname__, public.__module__ = (
            in_place.__name__,
            in_place.__name__,
            in_place.__module__,
        )
        public.__doc__ = in_place.__doc__
        public.__signature__ = _Signature(names)  # type: ignore[attr-defined]
        return public

    return made


class _Signature(Signature):
    """The inputs and `out`, made when somebody asks: hundreds of signatures would take longer than the import."""

    __slots__ = ("_names",)

    def __init__(self, names: tuple[str, ...]) -> None:
        self._names = names
        self._return_annotation = Signature.empty

    @property
    def parameters(self) -> MappingProxyType[str, Parameter]:
        """The parameters in their order."""
        inputs = [Parameter(name, Parameter.POSITIONAL_OR_KEYWORD) for name in self._names]
        return Signature([*inputs, Parameter("out", Parameter.KEYWORD_ONLY, default=None)]).parameters

    def replace(self, **changes: Any) -> Signature:  # type: ignore[override] # of whatever there is to change
        """A plain signature with something changed."""
        return Signature([*self.parameters.values()]).replace(**changes)


class _Arrays:
    """The calls that are not of floats alone."""

    def __init__(
        self, in_place: Callable[..., Any], scalar: Callable[..., float], names: tuple[str, ...], buffers: int
    ) -> None:
        self._in_place, self._scalar, self._names, self._buffers = in_place, scalar, names, buffers
        self._mixed: Callable[..., Any] | None = None

    def __call__(self, args: tuple[Any, ...], named: dict[str, Any], out: Any) -> Any:
        given = self._bound(args, named) if named or len(args) != len(self._names) else args
        if out is None:
            if (alike := _alike(given)) and math.prod(alike) <= BLOCK:
                with np.errstate(all="ignore"):
                    return self._at_once(given, alike)
            if _NUMBERS.issuperset(map(type, given)):
                return self._scalar(*map(_rounded, given))
        inputs = self._read(given)
        shape = self._shape(inputs)
        if out is not None:
            self._check_out(out, shape)
        if not shape:
            value = self._scalar(*map(float, inputs))
            if out is None:
                return value
            out[()] = value
            return out
        with np.errstate(all="ignore"):
            return self._computed(inputs, shape, out)

    def _at_once(self, given: Sequence[Any], shape: tuple[int, ...]) -> ndarray:
        """The common case, with as little ado as can be: arrays of one shape, beside floats, in one block."""
        out = np.empty(shape)
        made = self._form(given)(*given, out, *[np.empty(shape) for _ in range(self._buffers)])
        if made is not out:
            out[...] = made
        return out

    def _form(self, inputs: Sequence[Any]) -> Callable[..., Any]:
        """The in-place form: as it is, or the one for floats beside arrays."""
        for value in inputs:
            if type(value) is float:
                return self._over_mixed()
        return self._in_place

    def _bound(self, args: tuple[Any, ...], named: dict[str, Any]) -> Sequence[Any]:
        """The inputs in their order."""
        rest = self._names[len(args) :]
        if len(args) > len(self._names) or named.keys() != set(rest):
            self._scalar(*args, **named)  # says what is missing or too much, as every function does
        return [*args, *(named[name] for name in rest)]

    def _read(self, given: Sequence[Any]) -> list[ndarray]:
        inputs = [_float64(value) for value in given]
        wrong = [
            f"{n} is {_kind(v)}"
            for n, v, x in zip(self._names, given, inputs, strict=True)
            if not isinstance(x, ndarray)
        ]
        if wrong:
            raise TypeError(f"{self._scalar.__name__} takes real numbers: {', '.join(wrong)}")
        return [x for x in inputs if x is not None]

    def _shape(self, inputs: list[ndarray]) -> tuple[int, ...]:
        try:
            return np.broadcast_shapes(*(x.shape for x in inputs))
        except ValueError:
            shapes = ", ".join(f"{n} {x.shape}" for n, x in zip(self._names, inputs, strict=True) if x.shape)
            raise ValueError(f"{self._scalar.__name__} cannot broadcast its inputs: {shapes}") from None

    def _check_out(self, out: Any, shape: tuple[int, ...]) -> None:
        name = self._scalar.__name__
        if not isinstance(out, ndarray) or out.dtype != np.float64 or not out.flags.writeable:
            raise TypeError(f"{name} writes into a writable array of float64; out is {_kind(out)}")
        if out.shape != shape:
            raise ValueError(f"{name} has a result of shape {shape}; out has {out.shape}")

    def _computed(self, inputs: list[ndarray], shape: tuple[int, ...], out: Any) -> Any:
        simple = all(not x.shape or (x.shape == shape and x.flags.c_contiguous) for x in inputs)
        if out is not None and (not out.flags.c_contiguous or any(np.may_share_memory(out, x) for x in inputs)):
            np.copyto(out, self._computed(inputs, shape, None))
            return out
        if not simple:  # each call makes an array of its own shape, so that what varies along one axis stays small
            return self._whole(self._in_place(*inputs), inputs, shape, out)
        result = np.empty(shape) if out is None else out
        self._in_blocks(inputs, result.reshape(-1))
        return result

    def _whole(self, result: Any, inputs: list[ndarray], shape: tuple[int, ...], out: Any) -> Any:
        if out is None and np.shape(result) == shape and not any(result is x for x in inputs):
            return result
        out = np.empty(shape) if out is None else out
        np.copyto(out, result)
        return out

    def _in_blocks(self, inputs: list[ndarray], result: ndarray) -> None:
        """One-dimensional work: each input is a scalar, or as long as the result."""
        arrays = [x.reshape(-1) if x.shape else x.item() for x in inputs]
        function = self._form(arrays)
        size = len(result)
        scratch = [np.empty(min(size, BLOCK)) for _ in range(self._buffers)]
        for begin in range(0, size, BLOCK):
            end = min(begin + BLOCK, size)
            if end - begin < size:
                part = [x[begin:end] if isinstance(x, ndarray) else x for x in arrays]
                out, buffers = result[begin:end], [b[: end - begin] for b in scratch]
            else:
                part, out, buffers = arrays, result, scratch
            made = function(*part, out, *buffers)
            if made is not out:
                out[...] = made

    def _over_mixed(self) -> Callable[..., Any]:
        """The in-place form for scalars beside arrays: what depends on scalars alone is computed once, as a scalar."""
        if self._mixed is None:
            self._mixed = FunctionType(self._in_place.__code__, {**self._in_place.__globals__, **_MIXED})
            self._mixed.__defaults__ = self._in_place.__defaults__
        return self._mixed


def _unary(ufunc: Any) -> Callable[..., Any]:
    return lambda x, *, out: ufunc(x, out=out) if type(x) is ndarray else ufunc(x)


def _binary(ufunc: Any) -> Callable[..., Any]:
    return lambda x, y, *, out: ufunc(x, y, out=out) if type(x) is ndarray or type(y) is ndarray else ufunc(x, y)


_UNARY = ("negative", "positive", "sqrt", "exp", "log")
_BINARY = ("add", "subtract", "multiply", "divide", "power", "maximum", "minimum")
_MIXED = {n: _unary(getattr(np, n)) for n in _UNARY} | {n: _binary(getattr(np, n)) for n in _BINARY}


def choose(condition: Any, one: Any, other: Any, *, out: Any) -> Any:
    """One where a condition holds, else the other."""
    if not isinstance(condition, ndarray):
        return one if condition else other
    if out is None:
        return np.where(condition, one, other)
    if one is out:
        np.copyto(out, other, where=~condition)
    else:
        if other is not out:
            np.copyto(out, other)
        np.copyto(out, one, where=condition)
    return out


def ceil(x: Any, *, out: Any) -> Any:
    """The next whole number; what lies above one by no more than roundings is that one."""
    down = np.floor(x) + 0.0
    return _stored(np.where(x - down <= NEAR * np.abs(x), down, np.ceil(x) + 0.0), out)


def floor(x: Any, *, out: Any) -> Any:
    """The last whole number; what lies below one by no more than roundings is that one."""
    up = np.ceil(x) + 0.0
    return _stored(np.where(up - x <= NEAR * np.abs(x), up, np.floor(x) + 0.0), out)


def _stored(result: ndarray, out: Any) -> Any:
    if out is None or not result.shape:
        return result[()]  # of a scalar, a scalar
    np.copyto(out, result)
    return out


def _alike(given: Sequence[Any]) -> tuple[int, ...]:
    """The shape of arrays of float64 that all have the same, beside floats; empty for anything else."""
    shape: tuple[int, ...] = ()
    for value in given:
        if type(value) is ndarray:
            if value.dtype is not _FLOAT64 or (shape and value.shape != shape):
                return ()
            shape = value.shape
            if not shape:
                return ()
        elif type(value) is not float:
            return ()
    return shape


def _rounded(number: float) -> float:
    """A number as the nearest float, which of what is too large is inf."""
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def _float64(value: Any) -> ndarray | None:
    """A value as an array of float64, or nothing if it is no real number or array of them."""
    if hasattr(value, "units") or isinstance(value, np.ma.MaskedArray):
        return None  # a unit or a mask would be dropped in silence
    try:
        array = np.asarray(value)
    except ValueError:  # rows of unlike lengths
        return None
    if array.dtype.kind in "iuf":
        return array.astype(np.float64, copy=False)
    if array.dtype.kind == "O" and array.size and all(type(v) in _NUMBERS for v in array.flat):
        return np.array([_rounded(v) for v in array.flat]).reshape(array.shape)  # Python's large integers
    return None


def _kind(value: Any) -> str:
    """What a value is that is no real number."""
    if hasattr(value, "units"):
        return "a quantity with a unit; a kernel takes plain numbers in the units its docstring names"
    if isinstance(value, np.ma.MaskedArray):
        return "a masked array; fill it, with nan for example"
    try:
        return f"of type {np.asarray(value).dtype}"
    except ValueError:
        return "a list of rows of unlike lengths"
