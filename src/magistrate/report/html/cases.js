// The list of cases: only the rows in sight are in the page.

const ROW_HEIGHT = 64;
const list = { found: [], filters: {}, node: null, at: -1 };

function casesPane() {
  const choose = (name, label, options) => {
    const select = h("select", { id: `f-${name}`, onchange: () => filterBy(name, select.value) }, options.map(([value, said]) => h("option", { value }, said)));
    return h("label", { class: "field" }, h("span", null, label), select);
  };
  const any = [["*", "any"]];
  const seen = (column) => [...new Set(ROWS.flatMap((row) => Object.values(row[RESULTS]).map((result) => result[column])))];
  const names = [...new Set(ROWS.map((row) => row[CATEGORY] ?? ""))].sort();
  const search = h("input", { id: "f-q", type: "search", placeholder: "words in ids, answers, reasons", oninput: () => typed(search.value) });
  list.node = h("div", { class: "rows", role: "listbox", id: "rows", tabindex: "0", "aria-label": "Cases", onscroll: drawRows, onkeydown: listKey }, h("div", { class: "spacer", role: "presentation" }));
  return h(
    "div",
    { class: "pane" },
    h(
      "form",
      { class: "filters", "aria-label": "Filters", onsubmit: (event) => event.preventDefault() },
      h("label", { class: "field wide" }, h("span", null, "Text"), search),
      METRICS.length > 1 ? choose("metric", "Metric", METRICS.map((name) => [name, name])) : null,
      choose("outcome", "Outcome", [...any, ...["pass", "fail", "inconclusive"].map((o) => [o, o])]),
      choose("status", "Status", [...any, ["unscored", "not scored (all)"], ...seen(STATUS).sort().map((s) => [s, words(s)])]),
      choose("verdict", "Has a verdict", [...any, ...SEVERITY.map((v) => [v ?? "none", words(v)])]),
      names.length > 1 ? choose("category", "Category", [...any, ...names.map((n) => [n, n === "" ? "none" : short(n, 40)])]) : null,
      HEAD.baselines.length ? choose("flip", HEAD.baselines.length > 1 ? "Against a baseline" : `Against ${short(HEAD.baselines[0].name, 20)}`, flipOptions()) : null,
      choose("sort", "Order", [["*", "of the dataset"], ["score", "worst score first"]]),
    ),
    h("p", { class: "found", role: "status", id: "found" }),
    list.node,
  );
}

function flipOptions() {
  const both = [["lost", "now fails"], ["gained", "now passes"]];
  if (HEAD.baselines.length === 1) return [["*", "any"], ...both];
  const each = HEAD.baselines.flatMap(({ name }, which) => both.map(([flip, said]) => [flipOf(flip, which), `${said}: ${short(name, 30)}`]));
  return [["*", "any"], ...both.map(([flip, said]) => [flip, `${said}: any of them`]), ...each];
}

let waiting = 0;
function typed(value) {
  clearTimeout(waiting);
  waiting = setTimeout(() => filterBy("q", value), 150);
}

function filterBy(name, value) {
  const filters = { ...list.filters };
  if (value === "*" || (value === "" && name !== "category")) delete filters[name];
  else filters[name] = value;
  const here = readHash();
  history.replaceState(null, "", here.view === "case" ? link("case", { ...here, filters }) : link("cases", { filters }));
  showRows(filters, here.key);
}

async function showRows(filters, key) {
  list.filters = filters;
  for (const name of FILTERS) {
    const field = byId(`f-${name}`);
    if (field && field !== document.activeElement) field.value = filters[name] ?? (name === "q" ? "" : "*");
  }
  if (filters.q) byId("found").textContent = "searching\u2026";
  const found = await findRows(filters);
  if (found === null) return;
  list.found = found;
  list.at = key === null ? -1 : found.indexOf(PLACE.get(key));
  byId("found").textContent = found.length === ROWS.length ? count(found.length, "case") : `${found.length.toLocaleString("en")} of ${count(ROWS.length, "case")}`;
  list.node.firstElementChild.style.height = `${found.length * ROW_HEIGHT}px`;
  if (list.at >= 0) reveal();
  else list.node.scrollTop = 0;
  drawRows();
  byId("steps")?.replaceWith(steps());
}

function reveal() {
  const [top, room] = [list.at * ROW_HEIGHT, list.node.clientHeight];
  if (top < list.node.scrollTop || top + ROW_HEIGHT > list.node.scrollTop + room) list.node.scrollTop = Math.max(0, top - room / 3);
}

function drawRows() {
  const first = Math.max(0, Math.floor(list.node.scrollTop / ROW_HEIGHT) - 6);
  const last = Math.min(list.found.length, Math.ceil((list.node.scrollTop + (list.node.clientHeight || 800)) / ROW_HEIGHT) + 6);
  const spacer = list.node.firstElementChild;
  spacer.replaceChildren(...list.found.slice(first, last).map((place, i) => rowOf(place, first + i)));
  spacer.hidden = list.found.length === 0;
  const active = list.at >= first && list.at < last ? `row-${list.at}` : null;
  if (active) list.node.setAttribute("aria-activedescendant", active);
  else list.node.removeAttribute("aria-activedescendant");
}

function rowOf(place, at) {
  const row = ROWS[place];
  const result = row[RESULTS][list.filters.metric];
  const node = h(
    "div",
    { class: "row", role: "option", id: `row-${at}`, "aria-selected": String(at === list.at), "aria-posinset": at + 1, "aria-setsize": list.found.length, onclick: () => openRow(at) },
    h("span", { class: "top" }, h("span", { class: "id" }, short(row[KEY], 60)), row[CATEGORY] ? h("span", { class: "quiet cat" }, short(row[CATEGORY], 30)) : null),
    h("span", { class: "title", dir: "auto" }, short(row[TITLE], 160)),
    result ? h("span", { class: "result" }, h("span", { class: "score" }, scoreText(result)), outcomeChip(result[OUTCOME])) : null,
  );
  node.style.top = `${at * ROW_HEIGHT}px`;
  node.style.height = `${ROW_HEIGHT}px`;
  return node;
}

function scoreText(result) {
  if (result[SCORE] !== null) return number(result[SCORE]);
  return result[STATUS] === "partial" && result[LOW] !== null ? `${number(result[LOW], 2)}\u2013${number(result[HIGH], 2)}` : words(result[STATUS]);
}

function openRow(at) {
  if (at < 0 || at >= list.found.length) return;
  location.hash = link("case", { key: ROWS[list.found[at]][KEY], filters: list.filters });
}

function listKey(event) {
  const page = Math.max(1, Math.floor(list.node.clientHeight / ROW_HEIGHT) - 1);
  const moves = { ArrowDown: list.at + 1, ArrowUp: list.at - 1, PageDown: list.at + page, PageUp: list.at - page, Home: 0, End: list.found.length - 1 };
  if (event.key in moves && list.found.length) {
    event.preventDefault();
    list.at = Math.min(list.found.length - 1, Math.max(0, moves[event.key]));
    reveal();
    drawRows();
  } else if (event.key === "Enter" && list.at >= 0) {
    event.preventDefault();
    openRow(list.at);
  }
}

/** Places before and after the open case, among the cases that pass the filters. */
function steps() {
  const move = (by, said) => {
    const to = list.at < 0 ? -1 : list.at + by;
    return h("button", { type: "button", disabled: to < 0 || to >= list.found.length, onclick: () => openRow(to) }, said);
  };
  return h("span", { id: "steps", class: "steps" }, move(-1, "\u2190 previous"), list.at < 0 ? null : h("span", { class: "quiet" }, `${(list.at + 1).toLocaleString("en")} of ${list.found.length.toLocaleString("en")}`), move(1, "next \u2192"));
}
