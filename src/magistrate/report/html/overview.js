// The first page: what the run found, and where to look next.

function overview() {
  const { summary } = HEAD;
  return h(
    "div",
    { class: METRICS.length === 1 ? "overview single" : "overview" },
    HEAD.notices.map((text) => h("p", { class: "notice" }, visible(text))),
    HEAD.gate ? gates(HEAD.gate) : null,
    h("h2", { class: "sr" }, "Metrics"),
    h("div", { class: "tiles" }, METRICS.map((name) => tile(name, summary.metrics[name]))),
    believing(),
    h("div", { id: "focus" }),
    unscored(),
    HEAD.baselines.map(baseline),
    stability(),
    laws(),
    problems(),
    facts(),
  );
}

/** What there is to say of one metric alone. */
function focus(name) {
  if (!name) return [];
  const tabs = h(
    "nav",
    { class: "tabs", "aria-label": "Metric" },
    METRICS.map((other) => h("a", { href: link("overview", { filters: { metric: other }, show: "metric" }), "aria-current": other === name ? "true" : null }, other)),
  );
  return [
    METRICS.length > 1 ? h("section", { class: "card chooser" }, h("h2", null, "Metric by metric"), tabs) : null,
    h("div", { class: "pair" }, section("Distribution of scores", histogram(name), verdictShares(name)), categories(name)),
    worst(name),
  ];
}

function tile(name, figures) {
  const to = (filters) => link("cases", { filters: { metric: name, ...filters } });
  const outcomes = ["pass", "fail", "inconclusive"].map((outcome) => [outcome, outcome, figures.outcomes[outcome] ?? 0, to({ outcome, sort: "score" })]);
  return h(
    "article",
    { class: "card tile" },
    h("h3", null, METRICS.length > 1 ? h("a", { href: link("overview", { filters: { metric: name }, show: "metric" }) }, name) : name),
    h("p", { class: "mean" }, h("span", { class: "big" }, number(figures.mean)), figures.interval ? h("span", { class: "quiet" }, ` 95 % ${number(figures.interval[0])} to ${number(figures.interval[1])}`) : null),
    rangePlot(figures, figures.threshold),
    h(
      "p",
      { class: figures.scored < figures.cases ? "coverage low" : "coverage" },
      `coverage ${percent(figures.coverage)}: ${figures.scored.toLocaleString("en")} of ${count(figures.cases, "case")} scored`,
      figures.scored < figures.cases && figures.bounds ? `; over all cases the mean lies between ${number(figures.bounds[0])} and ${number(figures.bounds[1])}` : null,
    ),
    shares(outcomes, `Outcomes of ${name}`),
    h("p", { class: "quiet" }, `passes at ${figures.threshold} or ${figures.direction === "minimize" ? "less" : "more"}; policy ${visible(figures.policy)}`),
  );
}

function verdictShares(name) {
  const { verdicts } = HEAD.summary.metrics[name];
  const parts = SEVERITY.map((verdict) => [verdict ?? "none", words(verdict), verdicts[verdict ?? "none"] ?? 0, link("cases", { filters: { metric: name, verdict: verdict ?? "none", sort: "score" } })]);
  return parts.some((part) => part[2]) ? [h("p", { class: "quiet" }, "Statements by verdict"), shares(parts, `Verdicts of ${name}`)] : null;
}

function worst(name) {
  if (!HEAD.worst[name]?.length) return null;
  return section(
    "Worst cases",
    h(
      "ol",
      { class: "plain worst" },
      HEAD.worst[name].map(({ key, score, title, statement, verdict, id, probability }) =>
        h(
          "li",
          null,
          h(
            "a",
            { href: link("case", { key, filters: { metric: name, sort: "score" }, statement: id ?? null }) },
            h("span", { class: "score" }, number(score)),
            h("span", { class: "id" }, short(key, 60)),
            title ? h("span", { class: "question", dir: "auto" }, short(title, 160)) : null,
            statement ? h("span", { class: "what", dir: "auto" }, verdictChip(verdict), verdict === "supported" && probability !== null ? ` P ${number(probability, 2)} ` : " ", short(statement, 160)) : null,
          ),
        ),
      ),
    ),
  );
}

function unscored() {
  const rows = METRICS.flatMap((name) =>
    Object.entries(HEAD.summary.metrics[name].not_scored).map(([status, n]) => [
      h("a", { href: link("cases", { filters: { metric: name, status } }) }, words(status)),
      name,
      n.toLocaleString("en"),
      HEAD.why[status] ?? "",
    ]),
  );
  return rows.length ? section("Not scored", table("Cases without a score", ["status", "metric", "cases", "why"], rows, { numeric: 2, last: 3, narrow: true })) : null;
}

function categories(name) {
  const metric = HEAD.summary.metrics[name];
  const rows = Object.entries(metric.categories).map(([category, figures]) => {
    const cell = (outcome) => {
      const n = figures.outcomes[outcome] ?? 0;
      const filters = { metric: name, category, outcome, sort: "score" };
      return n ? h("a", { href: link("cases", { filters }), "aria-label": `${n} ${outcome}, ${short(category, 60)}, ${name}` }, n.toLocaleString("en")) : "0";
    };
    return [
      h("a", { href: link("cases", { filters: { metric: name, category } }) }, short(category, 60)),
      rangePlot(figures, metric.threshold),
      number(figures.mean),
      figures.interval ? `${number(figures.interval[0])} to ${number(figures.interval[1])}` : "none",
      `${figures.scored} of ${figures.cases}`,
      cell("pass"),
      cell("fail"),
      cell("inconclusive"),
    ];
  });
  if (!rows.length) return null;
  return section("By category", table(`By category: ${name}`, ["category", "0 to 1", "mean", "95 % interval", "scored", "pass", "fail", "inconclusive"], rows, { numeric: 2 }));
}

function baseline(found, which) {
  const rows = Object.entries(found.metrics).map(([name, c]) => [
    name,
    number(c.mean_baseline),
    number(c.mean),
    `${signed(c.change)}${c.relative_change === null ? "" : ` (${c.relative_change < 0 ? "" : "+"}${c.relative_change.toFixed(1)} %)`}`,
    c.change_interval ? `${signed(c.change_interval[0])} to ${signed(c.change_interval[1])}` : "none",
    c.p_value === null ? "none" : c.p_value < 0.001 ? "< 0.001" : c.p_value.toFixed(3),
    String(c.wins.length),
    String(c.losses.length),
    `${c.compared} of ${c.cases}`,
  ]);
  const flips = Object.entries(found.metrics).flatMap(([name, c]) =>
    [[["now fails", "now fail"], c.now_fails, "lost"], [["now passes", "now pass"], c.now_passes, "gained"]].map(([said, pairs, flip]) => {
      if (!pairs?.length) return null;
      const filters = { metric: name, flip: flipOf(flip, which) };
      return h(
        "details",
        { open: METRICS.length === 1 && pairs.length <= 12 },
        h("summary", null, `${name}: ${count(pairs.length, "case")} ${said[pairs.length === 1 ? 0 : 1]}`),
        h("p", { class: "goto" }, h("a", { href: link("cases", { filters }) }, "filter the cases by these")),
        caseList(pairs.map((pair) => pair.id), filters, (key, i) => ` ${number(pairs[i].baseline)} \u2192 ${number(pairs[i].score)}`),
      );
    }),
  );
  return section(
    `Against ${short(found.name, 80)}`,
    found.notes.map((text) => h("p", { class: "notice" }, visible(text))),
    rows.length ? table(`Against ${short(found.name, 80)}`, ["metric", "baseline", "this run", "change", "95 % interval", "p", "better", "worse", "compared"], rows) : null,
    Object.entries(found.metrics).flatMap(([name, c]) => c.notes.map((text) => h("p", { class: "quiet" }, `${name}: ${visible(text)}`))),
    flips,
  );
}

function problems() {
  if (!HEAD.problems.length) return null;
  return section("Rows of the dataset with problems", h("ul", null, HEAD.problems.map(([text, n]) => h("li", null, `${visible(text)} (${count(n, "row")})`))));
}

function facts() {
  const { summary, run } = HEAD;
  const usage = summary.usage;
  const known = (value) => (value === "unknown" ? "unknown" : Number(value).toLocaleString("en"));
  const pairs = [
    ["calls", `${known(usage.calls)} made, ${known(usage.cached)} from the cache`],
    ["tokens", `${known(usage.prompt_tokens)} sent, ${known(usage.completion_tokens)} received`],
    ["cost", usage.cost === "unknown" ? "unknown" : `$${Number(usage.cost).toFixed(4)}`],
    ["models", summary.models.map((m) => `${m.requested}${m.served && m.served !== m.requested ? ` (served: ${m.served})` : m.served ? "" : " (no answer)"}: ${count(m.calls, "call")}`).join("; ") || "none"],
    ["prompts", summary.prompts.map((p) => `${p.name} ${p.version}: ${count(p.calls, "call")}`).join("; ") || "none"],
    ["latency of a call", summary.call_latency_ms ? ["p50", "p95", "p99"].map((p) => `${p} ${Math.round(summary.call_latency_ms[p])} ms`).join(", ") : "none"],
    ["configuration", run.config_hash],
    ["written by", `magistrate ${run.header.magistrate}, ${run.header.created}`],
  ];
  return section(
    "How it was judged",
    h("dl", null, pairs.map(([name, value]) => [h("dt", null, name), h("dd", null, visible(value))])),
    h("details", null, h("summary", null, "Configuration"), h("div", { class: "code" }, textBlock(JSON.stringify(run.header.config, null, 2), [], { label: "configuration" }))),
  );
}
