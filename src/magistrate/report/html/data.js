// What the report holds: the head and the rows at once, the cases in packs that are read when one of them is needed.

const HEAD = JSON.parse(byId("head").textContent);
const METRICS = Object.keys(HEAD.summary.metrics);
const ROWS = HEAD.rows; // [key, category, title, {metric: [score, low, high, outcome, status, verdicts, flips]}]
const PLACE = new Map(ROWS.map((row, place) => [row[0], place]));
const [KEY, CATEGORY, TITLE, RESULTS] = [0, 1, 2, 3];
const [SCORE, LOW, HIGH, OUTCOME, STATUS, VERDICTS, FLIPS] = [0, 1, 2, 3, 4, 5, 6];

const loaded = new Promise((done) => {
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", done, { once: true });
  else done();
});
const packs = new Map();

function readPack(index) {
  if (!packs.has(index)) packs.set(index, JSON.parse(byId(`pack-${index}`)?.textContent ?? "{}"));
  return packs.get(index);
}

async function readCase(key) {
  const place = PLACE.get(key);
  if (place === undefined) return null;
  await loaded;
  return readPack(Math.floor(place / HEAD.pack))[place] ?? null;
}

// The text of a case that a search looks through, in lower case.
const texts = [];
function searchText(place) {
  if (texts[place] === undefined) {
    const parts = [ROWS[place][KEY], ROWS[place][TITLE]];
    const found = readPack(Math.floor(place / HEAD.pack))[place];
    if (found) {
      parts.push(found.question, found.answer, found.reference);
      for (const metric of Object.values(found.metrics)) {
        parts.push(metric.reason);
        for (const verdict of metric.verdicts) parts.push(verdict.statement, verdict.reason);
        for (const issue of metric.issues) parts.push(issue.code, issue.message);
      }
    }
    texts[place] = parts.filter(Boolean).join("\n").toLowerCase();
  }
  return texts[place];
}

const FILTERS = ["metric", "outcome", "status", "verdict", "category", "flip", "sort", "q"];

// A flip as a filter: "lost" against any baseline, "lost-2" against the second.
const flipOf = (flip, which) => (HEAD.baselines.length > 1 ? `${flip}-${which + 1}` : flip);
function flipped(result, filter) {
  const [flip, which] = filter.split("-");
  const flips = result?.[FLIPS] ?? [];
  return which === undefined ? flips.includes(flip) : flips[which - 1] === flip;
}

let running = 0;
/** The places of the rows that pass the filters, in order; null where a newer search began meanwhile. */
async function findRows(filters) {
  running += 1;
  const mine = running;
  const metric = filters.metric;
  let found = [];
  ROWS.forEach((row, place) => {
    const result = row[RESULTS][metric];
    if (filters.category !== undefined && (row[CATEGORY] ?? "") !== filters.category) return;
    if (filters.outcome && result?.[OUTCOME] !== filters.outcome) return;
    if (filters.status === "unscored" ? !result || result[SCORE] !== null : filters.status && result?.[STATUS] !== filters.status) return;
    if (filters.verdict && !result?.[VERDICTS].includes(filters.verdict)) return;
    if (filters.flip && !flipped(result, filters.flip)) return;
    found.push(place);
  });
  if (filters.q) {
    await loaded;
    const wanted = filters.q.toLowerCase().split(/\s+/).filter(Boolean);
    const passed = [];
    let since = performance.now();
    for (const place of found) {
      const text = searchText(place);
      if (wanted.every((word) => text.includes(word))) passed.push(place);
      if (performance.now() - since > 30) {
        await new Promise((next) => setTimeout(next)); // typing goes on while a large report is searched
        if (mine !== running) return null;
        since = performance.now();
      }
    }
    found = passed;
  }
  if (filters.sort === "score") {
    const least = HEAD.summary.metrics[metric]?.direction === "minimize";
    const rank = (place) => {
      const result = ROWS[place][RESULTS][metric];
      if (!result) return null;
      if (result[SCORE] !== null || result[STATUS] !== "partial") return result[SCORE]; // what was not judged is not bad
      return least ? result[HIGH] : result[LOW];
    };
    found.sort((a, b) => {
      const [x, y] = [rank(a), rank(b)];
      if (x === null || y === null) return (x === null) - (y === null) || a - b;
      return (least ? y - x : x - y) || a - b;
    });
  }
  return mine === running ? found : null;
}

function readHash() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const given = new URLSearchParams(query);
  const filters = { metric: METRICS[0] ?? "" };
  for (const name of FILTERS) if (given.has(name)) filters[name] = given.get(name);
  if (!METRICS.includes(filters.metric)) filters.metric = METRICS[0] ?? "";
  const cut = path.indexOf("/");
  let key = null;
  try {
    key = cut < 0 ? null : decodeURIComponent(path.slice(cut + 1));
  } catch {
    key = path.slice(cut + 1); // a link that was cut inside an escape
  }
  return { view: (cut < 0 ? path : path.slice(0, cut)) || "overview", key, filters, statement: given.get("s"), show: given.get("show") };
}

function link(view, { key = null, filters = {}, statement = null, show = null } = {}) {
  const query = new URLSearchParams();
  for (const name of FILTERS) {
    const value = filters[name];
    if (value !== undefined && (value !== "" || name === "category") && !(name === "metric" && value === METRICS[0])) query.set(name, value);
  }
  if (statement) query.set("s", statement);
  if (show) query.set("show", show);
  const text = query.toString();
  return `#/${view}${key === null ? "" : `/${encodeURIComponent(key)}`}${text ? `?${text}` : ""}`;
}
