"""The equations in Chromium give the numbers of Python: every equation, at many random points around its own."""

from __future__ import annotations

import base64
import math
import zlib

import numpy as np

from roofline_sym import EQUATIONS, scalar
from roofline_sym.core.quantity import Switch
from roofline_sym.site.reference import reference

POINTS = 400
DECADES = 1.5  #: to either side of the reference point
NEAR = 1e-13

#: What the page does: functions of the served script at columns of numbers.
RUN = """([names, counts, points, text]) => {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const columns = new Float64Array(bytes.buffer);
  const results = new Float64Array(names.length * points);
  let begin = 0;
  names.forEach((name, place) => {
    const [, formula] = globalThis.roofline.equations[name];
    for (let i = 0; i < points; i++) {
      const at = Array.from({ length: counts[place] }, (_, column) => columns[begin + column * points + i]);
      results[place * points + i] = formula(...at);
    }
    begin += counts[place] * points;
  });
  let out = "";
  for (const byte of new Uint8Array(results.buffer)) out += String.fromCharCode(byte);
  return btoa(out);
}"""


def columns(equation):
    """Random inputs, each within some decades of its value at the reference point."""
    random = np.random.default_rng(zlib.crc32(equation.name.encode()))
    made = []
    for quantity, value in reference(equation).items():
        if isinstance(quantity, Switch):
            made.append(random.integers(1, len(quantity.cases) + 1, POINTS).astype(float))
            continue
        column = (float(value) or 1.0) * 10.0 ** random.uniform(-DECADES, DECADES, POINTS)
        if quantity.whole or quantity.is_integer:
            column = np.maximum(np.round(column), 1.0 if quantity.is_positive else 0.0)
        made.append(np.minimum(column, 1.0) if quantity.share else column)
    return made


def test_every_equation_gives_pythons_numbers(browser, site):
    """At 400 points each, to 1e-13 of the value; what has no value has none in either."""
    inputs = {name: columns(equation) for name, equation in EQUATIONS.items()}
    text = base64.b64encode(b"".join(column.tobytes() for row in inputs.values() for column in row)).decode()
    tab = browser.new_page()
    tab.goto(f"{site.as_uri()}/equations/ridge_point.html")
    told = tab.evaluate(RUN, [list(inputs), [len(row) for row in inputs.values()], POINTS, text])
    tab.context.close()
    found = np.frombuffer(base64.b64decode(told)).reshape(len(inputs), POINTS)

    apart, valued = [], 0
    for (name, row), numbers in zip(inputs.items(), found, strict=True):
        function = getattr(scalar, name)
        at = zip(*(column.tolist() for column in row), strict=True) if row else [()] * POINTS
        for point, value in zip(at, numbers.tolist(), strict=True):
            wanted = function(*point)
            valued += math.isfinite(wanted)
            same = value == wanted or (math.isnan(value) and math.isnan(wanted))
            if not same and not abs(value - wanted) <= NEAR * abs(wanted):
                apart.append((name, point, value, wanted))
    assert apart == []
    assert valued > 0.9 * POINTS * len(inputs)
