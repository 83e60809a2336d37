// Addresses, keys, colours, paper.

let drawn = { view: null, key: null, metric: null };

async function route() {
  const here = readHash();
  const view = ["overview", "cases", "case"].includes(here.view) ? here.view : "overview";
  for (const node of document.querySelectorAll("nav.views a")) {
    const current = node.dataset.view === (view === "case" ? "cases" : view);
    if (current) node.setAttribute("aria-current", "page");
    else node.removeAttribute("aria-current");
  }
  document.body.dataset.view = view;
  byId("overview").hidden = view !== "overview";
  byId("cases").hidden = view === "overview";
  if (view === "overview") {
    byId("focus").replaceChildren(...focus(here.filters.metric).filter(Boolean));
    if (here.show === "metric") byId("focus").scrollIntoView();
    else if (drawn.view !== view) window.scrollTo(0, 0);
    drawn = { view };
    return;
  }
  const detail = byId("detail");
  if (view === "cases") {
    detail.replaceChildren(h("p", { class: "quiet hint" }, "Choose a case. In the list: arrow keys and Enter. Anywhere: j next, k previous, / search, o overview."));
    drawn = { view };
    await showRows(here.filters, null);
    return;
  }
  const moved = drawn.key !== here.key || drawn.view !== view;
  const listed = showRows(here.filters, here.key);
  const found = PLACE.has(here.key) ? await readCase(here.key) : undefined;
  if (readHash().key !== here.key) return; // another case was asked for meanwhile
  detail.replaceChildren(found === undefined ? h("p", { class: "notice" }, `The run has no case ${short(here.key ?? "", 80)}.`) : caseView(here.key, found, here));
  drawn = { view, key: here.key };
  await listed;
  if (moved && document.activeElement !== list.node) byId("case-title")?.focus({ preventScroll: true });
  const chosen = document.querySelector(".statement.chosen");
  if (chosen) chosen.scrollIntoView({ block: "center" });
  else if (moved) {
    detail.scrollTop = 0;
    window.scrollTo(0, 0);
  }
  if (here.show === "raw") byId("replies")?.scrollIntoView();
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape" && readHash().view === "case") location.hash = link("cases", { filters: list.filters });
  if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
  const keys = {
    j: () => (readHash().view === "case" ? openRow(list.at + 1) : null),
    k: () => (readHash().view === "case" ? openRow(list.at - 1) : null),
    o: () => (location.hash = "#/overview"),
    "/": () => {
      if (readHash().view === "overview") location.hash = "#/cases";
      setTimeout(() => byId("f-q").focus());
    },
  };
  if (event.key in keys) {
    event.preventDefault();
    keys[event.key]();
  }
}

const PRINTED = 1000;
/** On paper there is nothing to scroll or unfold: the list becomes a table, what is folded opens. */
function beforePrint() {
  for (const node of document.querySelectorAll("details:not([open])")) {
    node.open = true;
    node.dataset.folded = "";
  }
  if (readHash().view !== "cases") return;
  const rows = list.found.slice(0, PRINTED).map((place) => {
    const row = ROWS[place];
    const result = row[RESULTS][list.filters.metric];
    return [short(row[KEY], 60), short(row[TITLE], 120), row[CATEGORY] ? short(row[CATEGORY], 30) : "", result ? scoreText(result) : "", result?.[OUTCOME] ?? ""];
  });
  const left = list.found.length - rows.length;
  byId("paper").replaceChildren(table(`Cases, ${list.filters.metric}`, ["case", "question", "category", "score", "outcome"], rows, { numeric: 3 }), left > 0 ? h("p", null, `and ${count(left, "more case")}: filter the list to print them`) : "");
}

function afterPrint() {
  byId("paper").replaceChildren();
  for (const node of document.querySelectorAll("details[data-folded]")) {
    node.open = false;
    delete node.dataset.folded;
  }
}

function toggleTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
}

function start() {
  const { run } = HEAD;
  const state = run.state === "complete" ? null : h("span", { class: "chip o-inconclusive" }, words(run.state));
  byId("app").replaceChildren(
    h(
      "header",
      { class: "page" },
      h("div", { class: "name" }, h("h1", null, short(HEAD.dataset, 80)), h("p", { class: "quiet" }, `${count(HEAD.summary.cases, "case")}, judge ${short(HEAD.judge, 60)}, ${run.header.created.slice(0, 16).replace("T", " ")} UTC `, state)),
      h("nav", { class: "views", "aria-label": "Views" }, h("a", { href: "#/overview", "data-view": "overview" }, "Overview"), h("a", { href: "#/cases", "data-view": "cases" }, "Cases")),
      h("button", { type: "button", class: "theme", onclick: toggleTheme }, "light / dark"),
    ),
    h("main", null, h("div", { id: "overview", hidden: true }, overview()), h("div", { id: "cases", hidden: true }, casesPane(), h("div", { id: "detail" })), h("div", { id: "paper" })),
  );
  window.addEventListener("hashchange", route);
  window.addEventListener("keydown", onKey);
  window.addEventListener("resize", () => byId("cases").hidden || drawRows());
  window.addEventListener("beforeprint", beforePrint);
  window.addEventListener("afterprint", afterPrint);
  route();
}

start();
