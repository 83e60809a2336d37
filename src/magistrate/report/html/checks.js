// What was checked beside the cases themselves: gates, laws of the evaluation, and the judge's own chance.

const LISTED = 200; // names of cases in one list

/** Cases by name, each a link; `said` adds what there is to say of one. */
function caseList(keys, filters, said = () => null) {
  const items = keys.slice(0, LISTED).map((key, i) => {
    const name = PLACE.has(key) ? h("a", { href: link("case", { key, filters }) }, short(key, 60)) : short(key, 60);
    return h("li", null, name, said(key, i));
  });
  return h("ul", { class: "flips" }, items, keys.length > LISTED ? h("li", null, `and ${(keys.length - LISTED).toLocaleString("en")} more`) : null);
}

const folded = (title, ...children) => h("details", null, h("summary", null, title), children);

function gates(gate) {
  const title = { 0: "Gates: passed", 1: "Gates: failed", 3: "Gates: undecided" }[gate.exit_code] ?? "Gates: the run was stopped";
  return section(
    title,
    h("ul", { class: "plain gates" }, gate.checks.map((check) => h("li", null, h("div", { class: "line" }, outcomeChip(check.outcome), h("strong", null, `${visible(check.metric)} ${check.figure}`), h("span", { class: "said" }, visible(check.message))), behind(check)))),
  );
}

/** The cases behind a gate that does not pass, the worst first. */
function behind(check) {
  if (check.outcome === "pass" || !METRICS.includes(check.metric)) return null;
  const metric = check.metric;
  const least = HEAD.summary.metrics[metric].direction === "minimize";
  const found = (filters) => ROWS.map((row) => [row[KEY], row[RESULTS][metric]]).filter(([, result]) => result && filters(result));
  const list = (title, keys, filters, all) => keys.length ? folded(`${count(keys.length, "case")} ${title}`, all ? h("p", { class: "goto" }, h("a", { href: link("cases", { filters: { metric, ...filters } }) }, "show them in the list")) : null, caseList(keys, { metric, ...filters })) : null;
  if (check.figure === "drop") return list("got worse", check.cases, {}, false);
  const worth = (result) => result[SCORE] ?? (least ? result[LOW] : result[HIGH]) ?? 0;
  const failed = found((result) => result[OUTCOME] === "fail").sort((a, b) => (least ? -1 : 1) * (worth(a[1]) - worth(b[1])));
  const unscored = found((result) => result[SCORE] === null);
  return [
    check.figure === "coverage" ? null : list(failed.length === 1 ? "fails by itself" : "fail by themselves", failed.map(([key]) => key), { outcome: "fail", sort: "score" }, true),
    list("without a score", unscored.map(([key]) => key), { status: "unscored" }, true),
  ];
}

function laws() {
  if (!HEAD.categorical_tests) return null;
  const entries = Object.entries(HEAD.categorical_tests);
  const kinds = entries.flatMap(([name, law]) => ["exact", "measured"].filter((kind) => law[kind]).map((kind) => [name, law, kind, law[kind]]));
  const rows = kinds.map(([name, law, kind, found]) => [
    kind === "measured" && law.exact ? words(name) : [h("strong", null, words(name)), h("div", { class: "quiet" }, law.law)],
    lawChip(found.status),
    kind === "exact" ? "of scoring" : "of the judge",
    `${found.violations.toLocaleString("en")} of ${found.checked.toLocaleString("en")}`,
    found.rate === null ? "none" : percent(found.rate),
    kind === "exact" ? "none" : percent(found.tolerance),
    found.unknown.toLocaleString("en"),
  ]);
  const broken = kinds.filter(([, , , found]) => found.offending.length);
  return section(
    entries.some(([, law]) => law.status === "FAIL") ? "Laws of the evaluation: not all kept" : "Laws of the evaluation",
    table("Laws of the evaluation", ["law", "kept", "checked on", "broken", "rate", "allowed", "unknown"], rows, { numeric: 3 }),
    broken.map(([name, , kind, found]) =>
      folded(
        `${words(name)}, ${kind}: ${count(found.violations, "violation")}${found.violations > found.offending.length ? `, the first ${found.offending.length}` : ""}`,
        h("ul", { class: "offences" }, found.offending.map(({ case: key, detail }) => h("li", null, PLACE.has(key) ? h("a", { href: link("case", { key }) }, short(key, 60)) : short(key, 60), " ", h("span", { class: "what", dir: "auto" }, short(detail, 240))))),
      ),
    ),
  );
}

const lawChip = (status) => h("span", { class: `chip o-${{ PASS: "pass", FAIL: "fail" }[status] ?? "inconclusive"}` }, status.toLowerCase());

/** What repetitions of the same question told about the judge. */
function stability() {
  if (!HEAD.stability) return null;
  const share = (value) => (value === null ? "none" : `${(value * 100).toFixed(1)} %`);
  const entries = Object.entries(HEAD.stability);
  const rows = entries.map(([name, found]) => [
    name,
    `${found.repeats} times`,
    share(found.outcome_flip_rate),
    share(found.verdict_flip_rate),
    found.noise.half_width_within === null ? "none" : `\u00b1 ${found.noise.half_width_within.toFixed(4)}`,
    `${found.noise.n_cases.toLocaleString("en")} of ${(found.noise.n_cases + found.noise.left_out.length).toLocaleString("en")}`,
  ]);
  return section(
    "Stability of the judge",
    h("p", { class: "quiet" }, "Every case was judged several times. Flip: how likely two repetitions disagree. Noise floor: a change of the mean between two single runs below it may be chance."),
    table("Stability of the judge", ["metric", "judged", "outcomes flip", "verdicts flip", "noise floor of the mean", "cases scored every time"], rows),
    entries.map(([name, found]) => {
      const keys = Object.keys(found.unstable_cases);
      return keys.length ? folded(`${name}: the outcome of ${count(keys.length, "case")} is unstable`, caseList(keys, { metric: name }, (key) => h("span", { class: "quiet" }, ` flips ${share(found.unstable_cases[key])}`))) : null;
    }),
  );
}

/** One line about the repetitions of one case. */
function repeated(metric) {
  const said = metric.details.repeats;
  if (!said || !Array.isArray(said.scores)) return null;
  const each = said.scores.map((score, i) => (score === null ? words(said.statuses?.[i] ?? "none") : number(score)));
  const flips = (rate) => (rate === null || rate === undefined ? "unknown" : `${(rate * 100).toFixed(1)} %`);
  return h("p", { class: "quiet" }, `Judged ${said.n} times: ${each.slice(0, 20).join(", ")}${each.length > 20 ? ", \u2026" : ""}. The outcome flips ${flips(said.flip_rate)}, verdicts flip ${flips(said.verdict_flip_rate)}.`);
}
