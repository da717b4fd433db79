#include "engine/report/page_style.h"

namespace engine {

const char* const pageStyle = R"css(
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #ffffff; --text: #1b1f24; --muted: #5d6673; --faint: #8b95a3; --line: #dfe3e8;
  --node: #ffffff; --node-line: #c3cad3; --edge: #9aa4b1; --track: #e9ecf0; --accent: #0072b2;
  --cpu: #0072b2; --cuda: #007a5a; --reference: #b87700; --other: #6a5acd; --copy: #b0307c; --none: #c2410c;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14171b; --card: #1c2026; --text: #e6e9ed; --muted: #a2abb8; --faint: #788292; --line: #323944;
    --node: #242a32; --node-line: #414a57; --edge: #6b7684; --track: #2e353f; --accent: #56b4e9;
    --cpu: #56b4e9; --cuda: #2fc29b; --reference: #e6b04d; --other: #a79bff; --copy: #f06bb8; --none: #ff7f50;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text);
  font: 14px/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif; }
main { max-width: 1520px; margin: 0 auto; padding: 28px 20px 60px; }
h1 { font-size: 25px; line-height: 1.25; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 16.5px; margin: 0 0 12px; }
h2 small { font-weight: 400; font-size: 12.5px; color: var(--muted); margin-left: 8px; }
.facts { color: var(--muted); margin: 4px 0 20px; overflow-wrap: anywhere; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 18px 20px;
  margin-top: 16px; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(165px, 1fr)); gap: 12px; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 12px 16px; }
.card b { display: block; font-size: 20px; font-weight: 600; line-height: 1.35; font-variant-numeric: tabular-nums; }
.card span { color: var(--muted); font-size: 12px; }
.card em { display: block; font-style: normal; color: var(--faint); font-size: 11.5px; }
.p-cpu { --p: var(--cpu); } .p-cuda { --p: var(--cuda); } .p-reference { --p: var(--reference); }
.p-other { --p: var(--other); } .p-none { --p: var(--none); }
.tag { color: var(--p); font-weight: 600; white-space: nowrap; }
.tag::before { content: ""; display: inline-block; width: 9px; height: 9px; border-radius: 2px; background: var(--p);
  margin-right: 5px; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 18px; color: var(--muted); font-size: 12.5px; margin-bottom: 10px; }
.legend .tag { font-weight: 500; }
.line-copy { display: inline-block; width: 20px; height: 5px; border: solid var(--copy); border-width: 1.5px 0;
  vertical-align: middle; margin-right: 5px; }
.picture { overflow: auto; max-height: 82vh; border: 1px solid var(--line); border-radius: 6px;
  background: var(--page); text-align: center; }
.tools { float: right; }
.tools button { font: inherit; font-size: 12.5px; color: var(--text); background: var(--card); cursor: pointer;
  border: 1px solid var(--line); border-radius: 5px; padding: 1px 9px; margin-left: 4px; }
.tools button:focus-visible, th:focus-visible { outline: 2px solid var(--accent); }
svg.graph { max-width: 100%; height: auto; vertical-align: top; }
svg text { fill: var(--text); font-family: system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
svg.graph .edge, svg.graph .copy, svg.graph .copy-inside { fill: none; }
svg.graph .edge { stroke: var(--edge); stroke-width: 1.3; }
svg.graph .copy { stroke: var(--copy); stroke-width: 4; }
svg.graph .copy-inside { stroke: var(--page); stroke-width: 1.4; }
svg.graph .node-box { fill: var(--node); stroke: var(--p); stroke-width: 1; stroke-opacity: .65; }
svg.graph .p-reference .node-box { stroke-dasharray: 3 2; }
svg.graph .p-none .node-box { stroke-width: 2; stroke-opacity: 1; }
svg.graph .tint { fill: var(--p); opacity: .1; }
svg.graph .stripe, svg.graph .bar { fill: var(--p); }
svg.graph .track { fill: var(--track); }
svg.graph .title { font-size: 11.5px; font-weight: 600; }
svg.graph .subtitle { font-size: 10px; fill: var(--muted); }
svg.graph .time { font-size: 10.5px; text-anchor: end; font-variant-numeric: tabular-nums; }
svg.graph .letter { font-size: 10px; font-weight: 700; fill: var(--p); text-anchor: end; }
svg.graph .end-box { fill: var(--track); stroke: var(--node-line); }
svg.graph .end-title { font-size: 11px; font-weight: 600; text-anchor: middle; }
svg.graph .end-shape { font-size: 10px; fill: var(--muted); text-anchor: middle; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(340px, 1fr)); gap: 18px; }
svg.chart { width: 100%; height: auto; }
svg.chart .grid { stroke: var(--line); } svg.chart .axis { stroke: var(--faint); }
svg.chart .column, svg.chart .dots { fill: var(--accent); } svg.chart .dots { opacity: .55; }
svg.chart .interval { fill: var(--accent); opacity: .16; }
svg.chart .median { stroke: var(--copy); stroke-width: 1.4; stroke-dasharray: 5 3; }
svg.chart .tick { font-size: 11px; fill: var(--muted); }
svg.chart .middle { text-anchor: middle; } svg.chart .end { text-anchor: end; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 13px; }
th, td { text-align: left; padding: 4px 12px 4px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--muted); font-weight: 600; font-size: 12px; white-space: nowrap; }
table.sortable th { cursor: pointer; user-select: none; }
table.sortable th[aria-sort]::after { content: " ▾"; }
table.sortable th[aria-sort="ascending"]::after { content: " ▴"; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tr:last-child td { border-bottom: 0; }
tr.inner td:first-child { padding-left: calc(16px * var(--depth, 1)); color: var(--muted); }
td.type { white-space: nowrap; }
td.name { overflow-wrap: anywhere; min-width: 130px; }
td.kernel { color: var(--muted); font-size: 12px; overflow-wrap: anywhere; min-width: 200px; }
.meter { display: inline-block; width: 64px; height: 9px; background: var(--track); border-radius: 2px;
  vertical-align: middle; }
.meter i { display: block; height: 100%; background: var(--p, var(--accent)); border-radius: 2px; min-width: 1px; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 18px; margin: 0; }
dl.row { grid-template-columns: repeat(auto-fit, minmax(130px, 1fr)); grid-template-rows: auto auto;
  grid-auto-flow: column; gap: 0 18px; margin-top: 10px; font-variant-numeric: tabular-nums; }
dl.row dt { font-size: 12px; }
dt { color: var(--muted); } dd { margin: 0; overflow-wrap: anywhere; }
.bad { color: var(--none); font-weight: 600; }
footer { color: var(--faint); font-size: 12px; margin-top: 20px; }
code { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 12px; overflow-wrap: anywhere; }
@media print { section, .card { break-inside: avoid; } .picture { max-height: none; } .tools { display: none; } }
)css";

const char* const pageScript = R"js(
for (const head of document.querySelectorAll('table.sortable th')) {
  head.tabIndex = 0;
  const sort = () => {
    const table = head.closest('table'), body = table.tBodies[0], index = head.cellIndex;
    const down = head.getAttribute('aria-sort') !== 'descending';
    for (const other of table.querySelectorAll('th')) other.removeAttribute('aria-sort');
    head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
    const key = row => row.cells[index].dataset.v ?? row.cells[index].textContent;
    const order = (a, b) => head.classList.contains('n') ? Number(b) - Number(a) : a.localeCompare(b) * -1;
    const rows = [...body.rows].sort((a, b) => (down ? 1 : -1) * order(key(a), key(b)));
    body.append(...rows);
  };
  head.addEventListener('click', sort);
  head.addEventListener('keydown', event => { if (event.key === 'Enter') sort(); });
}
const graph = document.querySelector('svg.graph');
if (graph) {
  const natural = graph.width.baseVal.value;
  let scale = 0;
  const show = () => {
    graph.style.maxWidth = scale ? 'none' : '';
    graph.style.width = scale ? natural * scale + 'px' : '';
  };
  const fitted = () => graph.getBoundingClientRect().width / natural;
  document.querySelector('#zoom-in').onclick = () => { scale = (scale || fitted()) * 1.3; show(); };
  document.querySelector('#zoom-out').onclick = () => { scale = (scale || fitted()) / 1.3; show(); };
  document.querySelector('#zoom-fit').onclick = () => { scale = 0; show(); };
}
)js";

}  // namespace engine
