// How far to believe the figures: what people said, several judges, a cascade, canaries. A figure in plain words first;
// how it is made is one click away.

function believing() {
  const found = HEAD.believing;
  if (!found) return null;
  const trust = found.trust;
  return section(
    "How far to believe it",
    found.why_not ? h("p", { class: "notice" }, visible(found.why_not)) : null,
    trust?.verdict ? h("p", { class: "notice" }, visible(trust.verdict)) : null,
    trust?.rate ? threeBars(trust) : null,
    trust?.disagreements?.length ? disagreements(trust) : null,
    trust?.further?.length ? further(trust) : null,
    trust?.reliability ? reliability(trust.reliability) : null,
    Object.keys(trust?.sides ?? {}).length ? groupsTable(trust.sides) : null,
    found.judges ? judgesTable(found.judges, trust?.panel) : null,
    found.cascade ? savedPlot(found.cascade) : null,
    found.canaries?.length ? canaryStrip(found.canaries) : null,
    (trust?.notes ?? []).map((note) => h("p", { class: "quiet" }, visible(note))),
  );
}

const formula = (...text) => h("details", null, h("summary", null, "how it is made"), h("p", { class: "quiet" }, text));

function threeBars({ rate, agreement, target, wanted, next, full }) {
  const rows = [
    ["the judge says", rate.judge, null],
    ["people say (labels alone)", rate.people, rate.people_interval],
    ["corrected", rate.corrected, rate.interval],
  ].map(([name, value, interval]) => [
    name,
    number(value),
    interval ? `${number(interval.low)} to ${number(interval.high)}` : "",
    rangePlot({ mean: value, interval: interval ? [interval.low, interval.high] : null }, rate.corrected),
  ]);
  const known = (value) => (value === null ? "unknown (no such label)" : number(value));
  const bring = (plan) => `${count(plan.labels, "more label")} of statements (about ${count(plan.cases, "case")}): about \u00b1 ${plan.half_width.toFixed(3)}.`;
  const needed = !wanted ? `No number of labels of these statements brings \u00b1 ${target}; ${full.labels ? `all of them, ${bring(full)}` : "all are labelled."}` : wanted.labels ? `About ${count(wanted.labels, "further label")} (about ${count(wanted.cases, "case")}) would bring \u00b1 ${target}.` : `\u00b1 ${target} is reached.`;
  return [
    table("Share of statements that are supported", ["", "share", "95 % interval", "0 to 1"], rows, { numeric: 1, last: 3, narrow: true }),
    h("p", null, `People labelled ${rate.labelled} of ${count(rate.n, "statement")} in ${count(rate.cases, "case")}; beside the judge they say as much as ${Math.round(rate.worth)} would alone. ${needed} ${next.labels ? bring(next) : ""}`),
    agreement ? h("p", { class: "quiet" }, `Of what people support the judge supports ${known(agreement.sensitivity)}, of what they do not it withholds ${known(agreement.specificity)}; kappa ${number(agreement.kappa)}, AC1 ${number(agreement.ac1)}.`) : null,
    formula("Post-stratification by the judge's verdict: the labels of each verdict, weighed by how often the judge gave it; statements without a verdict are a part of their own. Limits by MOVER from Wilson's, with the design effect of Rao and Scott, because statements of a case hang together. The interval speaks of cases like these, not only of this run: with all of them labelled it is narrower, but no point."),
  ];
}

function disagreements({ disagreements: found }) {
  const items = found.slice(0, LISTED).map((one) =>
    h("li", null, PLACE.has(one.case_id) ? h("a", { href: link("case", { key: one.case_id, statement: one.statement_id }) }, short(one.case_id, 60)) : short(one.case_id, 60), " ", verdictChip(one.judge), ` people: ${one.people ? "supported" : "not supported"} `, h("span", { class: "what", dir: "auto" }, short(one.statement, 200))),
  );
  return h("details", { open: found.length <= 12 }, h("summary", null, `Judge and people differ on ${count(found.length, "statement")}`), h("ul", { class: "offences" }, items));
}

function further({ further: plans, rate }) {
  return [
    table("What further labels would bring", ["further labels of statements", "interval"], plans.map((plan) => [plan.labels ? `${plan.labels} more` : "as it is", `\u00b1 ${plan.half_width.toFixed(3)}`]), { narrow: true }),
    formula(`Planned by the formula of the interval, with the labels of each verdict and the design effect (${rate.design_effect.toFixed(2)}) so far.`),
  ];
}

/** Points (x, y) in a square, joined, on the diagonal where they should be. */
function square(series, label) {
  const size = 160;
  const x = (value) => 8 + value * (size - 16);
  const y = (value) => size - 8 - value * (size - 16);
  return svg(
    "svg",
    { viewBox: `0 0 ${size} ${size}`, width: size, role: "img", "aria-label": `${label}: ${series.map(([a, b]) => `${a.toFixed(2)} ${b.toFixed(2)}`).join(", ")}` },
    svg("line", { x1: x(0), y1: y(0), x2: x(1), y2: y(1), class: "axis" }),
    svg("polyline", { points: series.map(([a, b]) => `${x(a)},${y(b)}`).join(" "), fill: "none", class: "interval" }),
    series.map(([a, b, n]) => svg("circle", { cx: x(a), cy: y(b), r: 3, class: "dot" }, svg("title", null, `said ${a.toFixed(2)}, true ${b.toFixed(2)}${n ? `, ${n} labels` : ""}`))),
  );
}

function reliability({ before, after }) {
  return [
    h("h3", null, "Does its confidence mean what it says?"),
    h("div", { class: "pair" }, ...[["as the judge says it", before], ["calibrated", after]].map(([name, series]) => h("figure", null, square(series, name), h("figcaption", { class: "quiet" }, `${name}: on the line, ten statements said to be 80 % sure hold eight true ones`)))),
    formula("Each point is a fifth of the range: what was said against the share that people support. Calibrated: Platt's curve below 100 labels, isotonic regression from there; each part of the cases by the map that the others made."),
  ];
}

function groupsTable(groups) {
  const rows = Object.entries(groups).map(([name, [sensitivity, specificity, n]]) => [short(name, 60), number(sensitivity), number(specificity), String(n)]);
  return table("Judge against people by category", ["category", "supports of what people support", "withholds of what they do not", "labels"], rows);
}

function judgesTable({ pairs }, panel) {
  const rows = pairs.map(([one, other, share, n]) => [`${short(one, 40)} and ${short(other, 40)}`, number(share), n.toLocaleString("en")]);
  const worth = panel
    ? `${panel.effective === null ? "No two judges erred: how many independent ones they are worth is unknown." : `The ${panel.judges.length} judges are worth ${panel.effective.toFixed(1)} independent ones.`} Their majority is right on ${number(panel.majority)}, ${short(panel.best, 40)} alone on ${number(panel.accuracy[panel.best])}: ${panel.gain[0] > 0 ? "the panel is better" : `no better than ${short(panel.best, 40)} alone`}.`
    : "Without labels nothing is said of how right they are: judges that agree may be wrong together.";
  return [table("How often judges agree", ["judges", "share", "statements"], rows, { narrow: true }), h("p", null, worth), panel ? formula("Kish's effective number, K / (1 + (K - 1) r) with r the mean correlation of two judges' errors; the gain by paired differences with Student's limits.") : null];
}

function savedPlot({ curve, risk, why }) {
  const rows = Object.entries(curve).map(([allowed, saved]) => [Number(allowed) === risk ? `${allowed} (chosen)` : allowed, saved === null ? "nothing can be certified" : percent(saved)]);
  return [table("What a cascade saves at each risk", ["risk allowed", "statements a cheap judge settles"], rows, { narrow: true }), h("p", { class: "quiet" }, visible(why)), formula("Fixed-sequence testing: thresholds from the surest down, each with the exact upper limit of the share of cases in which one differs; holds with probability .9 over the draw of the cases that all judged.")];
}

function canaryStrip(looks) {
  const rows = looks.map((look) => [look.at.slice(0, 16).replace("T", " "), number(look.accuracy), look.e_value >= 1e4 ? look.e_value.toExponential(1) : look.e_value.toFixed(2), look.alarm ? h("span", { class: "chip o-fail" }, "changed") : h("span", { class: "chip o-pass" }, "as before"), visible(look.models.join(", "))]);
  return [table("Canaries over time", ["look", "as people say", "evidence", "judge", "answered by"], rows, { numeric: 1, last: 3 }), formula("An e-process over all looks: while the judge stays as it is, evidence reaches 20 in one of 20 series at most, however often one looks.")];
}
