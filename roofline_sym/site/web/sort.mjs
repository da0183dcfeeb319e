// Tables that a reader sorts and filters. A cell with data-value is a number; one that is empty comes last.
// Without scripts a table is as it was written; the order written comes back with a third click.

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
const NEXT = { none: "ascending", ascending: "descending", descending: "none" };

/** What a cell is sorted by: a number, a text, or nothing, which comes last. */
export function keyOf(cell) {
  const value = cell?.dataset.value;
  if (value === undefined) return cell?.textContent.trim() || null;
  return value === "" ? null : Number(value);
}

/** How two keys compare in a direction; what is not known is last in both. */
export function compare(a, b, direction) {
  if (a === null || b === null) return (a === null) - (b === null);
  const order = typeof a === "number" && typeof b === "number" ? a - b : collator.compare(String(a), String(b));
  return direction === "descending" ? -order : order;
}

function makeSortable(table) {
  const body = table.tBodies[0];
  const written = [...body.rows];
  const heads = [...table.tHead.rows[0].cells];

  function sortBy(column) {
    const direction = NEXT[heads[column].getAttribute("aria-sort") ?? "none"];
    heads.forEach((head, i) => head.setAttribute("aria-sort", i === column ? direction : "none"));
    const rows = direction === "none" ? written : written
      .map((row) => [keyOf(row.cells[column]), row])
      .sort(([a], [b]) => compare(a, b, direction))
      .map(([, row]) => row);
    body.append(...rows);
  }

  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    // a heading may hold a link, and a link cannot stand in a button; the button then stands beside it
    if (head.querySelector("a")) {
      button.setAttribute("aria-label", `Sort by ${head.textContent.trim()}`);
      head[head.classList.contains("n") ? "prepend" : "append"](button);
    } else {
      button.append(...head.childNodes);
      head.append(button);
    }
    head.setAttribute("aria-sort", "none");
    button.addEventListener("click", () => sortBy(column));
  });
}

function makeFilter(table) {
  const { noun } = table.dataset;
  const rows = [...table.tBodies[0].rows];
  const texts = rows.map((row) => [...row.cells].slice(0, 3).map((cell) => cell.textContent).join(" ").toLowerCase());
  const box = document.createElement("p");
  const label = document.createElement("label");
  const field = document.createElement("input");
  const shown = document.createElement("output");
  box.className = "filter";
  field.type = "search";
  field.autocomplete = "off";
  label.append(`Filter ${noun} `, field);
  box.append(label, shown);
  (table.closest(".scroll") ?? table).before(box);

  function filter() {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    rows.forEach((row, i) => { row.hidden = !words.every((word) => texts[i].includes(word)); });
    shown.textContent = words.length ? `${rows.filter((row) => !row.hidden).length} of ${rows.length}` : "";
  }
  field.addEventListener("input", filter);
  if (field.value) filter(); // a browser may bring back what was typed
}

/** Give every table.sortable its buttons, and those that name what they list a field to filter by. */
export function start(root = document) {
  for (const table of root.querySelectorAll("table.sortable")) {
    makeSortable(table);
    if (table.dataset.noun) makeFilter(table);
  }
}
