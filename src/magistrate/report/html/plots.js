// Plots, each with its figures in words for those who do not see it.

const BINS = 20;

function histogram(metric) {
  const { threshold, direction } = HEAD.summary.metrics[metric];
  const bins = Array.from({ length: BINS }, () => 0);
  let scored = 0;
  for (const row of ROWS) {
    const score = row[RESULTS][metric]?.[SCORE];
    if (score === null || score === undefined) continue;
    bins[Math.min(BINS - 1, Math.max(0, Math.floor(score * BINS + 1e-9)))] += 1;
    scored += 1;
  }
  const most = Math.max(1, ...bins);
  const [width, height, left, top] = [420, 150, 8, 14];
  const step = (width - 2 * left) / BINS;
  const x = (value) => left + value * (width - 2 * left);
  const bars = bins.map((n, i) => {
    const middle = (i + 0.5) / BINS;
    const good = direction === "minimize" ? middle <= threshold : middle >= threshold;
    const tall = n === 0 ? 0 : Math.max(2, (n / most) * (height - top - 24));
    return svg(
      "rect",
      { x: x(i / BINS) + 1, y: height - 22 - tall, width: step - 2, height: tall, rx: 1.5, class: good ? "bar-pass" : "bar-fail" },
      svg("title", null, `${(i / BINS).toFixed(2)} to ${((i + 1) / BINS).toFixed(2)}: ${count(n, "case")}`),
    );
  });
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((value) =>
    svg("text", { x: x(value), y: height - 6, "text-anchor": value === 0 ? "start" : value === 1 ? "end" : "middle", class: "tick" }, String(value)),
  );
  const parts = bins.map((n, i) => (n ? `${n} from ${(i / BINS).toFixed(2)} to ${((i + 1) / BINS).toFixed(2)}` : null)).filter(Boolean);
  return h(
    "figure",
    null,
    svg(
      "svg",
      { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Scores of ${metric}: ${parts.join(", ") || "none"}` },
      svg("line", { x1: left, x2: width - left, y1: height - 22, y2: height - 22, class: "axis" }),
      bars,
      svg("line", { x1: x(threshold), x2: x(threshold), y1: 4, y2: height - 22, class: "threshold" }),
      svg("text", { x: x(threshold) + (threshold > 0.7 ? -4 : 4), y: 12, "text-anchor": threshold > 0.7 ? "end" : "start", class: "tick" }, `threshold ${threshold}`),
      ticks,
    ),
    h("figcaption", { class: "quiet" }, `${count(scored, "score")} of ${count(HEAD.summary.metrics[metric].cases, "case")}; highest bar ${most}`),
  );
}

/** Mean, 95 % interval and threshold on a line from 0 to 1. */
function rangePlot(figures, threshold) {
  const [width, height] = [160, 18];
  const x = (value) => 4 + Math.min(1, Math.max(0, value)) * (width - 8);
  const [low, high] = figures.interval ?? [figures.mean, figures.mean];
  const said =
    figures.mean === null
      ? "no score"
      : `mean ${number(figures.mean)}${figures.interval ? `, 95 % interval ${number(low)} to ${number(high)}` : ""}, threshold ${threshold}`;
  return svg(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, class: "range", preserveAspectRatio: "xMinYMid meet", role: "img", "aria-label": said },
    svg("line", { x1: 4, x2: width - 4, y1: 9, y2: 9, class: "axis" }),
    svg("line", { x1: x(threshold), x2: x(threshold), y1: 2, y2: 16, class: "threshold" }),
    figures.mean === null ? null : svg("line", { x1: x(low), x2: x(high), y1: 9, y2: 9, class: "interval" }),
    figures.mean === null ? null : svg("circle", { cx: x(figures.mean), cy: 9, r: 4, class: "dot" }),
  );
}

/** Shares as one bar: [class, words, n, address]. */
function shares(parts, label) {
  const total = parts.reduce((sum, part) => sum + part[2], 0) || 1;
  let at = 0;
  const pieces = parts.map(([style, said, n]) => {
    const piece = svg("rect", { x: (at / total) * 100, y: 0, width: (n / total) * 100, height: 6, class: `fill-${style}` }, svg("title", null, `${said}: ${n}`));
    at += n;
    return piece;
  });
  return h(
    "div",
    { class: "shares" },
    svg("svg", { viewBox: "0 0 100 6", preserveAspectRatio: "none", role: "img", "aria-label": `${label}: ${parts.map((p) => `${p[1]} ${p[2]}`).join(", ")}` }, pieces),
    h("ul", { class: "legend" }, parts.filter((p) => p[2]).map(([style, said, n, address]) => h("li", null, h("span", { class: `swatch fill-${style}`, "aria-hidden": true }), address ? h("a", { href: address }, `${n.toLocaleString("en")} ${said}`) : `${n.toLocaleString("en")} ${said}`))),
  );
}
