/** The look of the report: one page, no script, no font or image from elsewhere, light and dark, 400 pixels and up. */

export const STYLE = `
:root{color-scheme:light dark;--paper:#f6f5f2;--card:#fff;--ink:#1b1d23;--dim:#636875;--line:#e3e1db;--grid:#eceae5;
--bar:#7483dd;--tail:#e2893b;--curve:#3c4bb8;--limit:#c02c58;--beyond:#c02c5812;--good:#1d7d54;--bad:#c02c58;
--headers:#b9bfcc;--silent:#7483dd;--thinking:#3fa7a3;--answer:#cfe3d4;--failed:#d9587c}
@media (prefers-color-scheme:dark){:root{--paper:#101216;--card:#181b21;--ink:#e9eaee;--dim:#9aa1af;--line:#2a2e37;--grid:#23272f;
--bar:#6d7ce6;--tail:#f0a35e;--curve:#aab4ff;--limit:#ff7598;--beyond:#ff759814;--good:#55c797;--bad:#ff7598;
--headers:#596070;--silent:#6d7ce6;--thinking:#42a8a3;--answer:#2f4a3b;--failed:#c2476b}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;
font-variant-numeric:tabular-nums;-webkit-text-size-adjust:100%}
main{max-width:1060px;margin:0 auto;padding:32px 20px 48px}
h1{font-size:28px;line-height:1.2;letter-spacing:-.02em;margin:0 0 4px}
h2{font-size:18px;letter-spacing:-.01em;margin:40px 0 12px}
h3{font-size:16px;margin:0;overflow-wrap:anywhere}
p{margin:0}
.lead,.dim{color:var(--dim)}
.card{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:20px;margin:0 0 16px}
table{border-collapse:collapse;width:100%}
th{font-weight:500;color:var(--dim);font-size:13px}
th,td{text-align:right;padding:7px 0 7px 14px;border-top:1px solid var(--line);white-space:nowrap}
thead th{border-top:0;padding-top:0}
th:first-child,td:first-child{text-align:left;padding-left:0}
tr.group th{color:var(--ink);font-weight:600;font-size:15px;white-space:normal;overflow-wrap:anywhere;padding-top:14px}
tbody tr:not(.group) td{padding-top:4px;padding-bottom:4px;border-top:0}
.set{color:var(--limit);font-weight:600}
.good{color:var(--good)}.bad{color:var(--bad);font-weight:600}
.band{display:grid;grid-template-columns:236px minmax(0,1fr);gap:8px 28px;padding:18px 0 4px;margin-top:14px;border-top:1px solid var(--line)}
.band dl{display:grid;grid-template-columns:1fr auto;gap:3px 12px;margin:8px 0 0}
.band dt{color:var(--dim)}
.band dd{margin:0;text-align:right}
.band h4{margin:0;font-size:15px}
.why{grid-column:1/-1;color:var(--dim);font-size:13px}
.note{color:var(--tail)}
.chart{display:block;overflow:visible}
.chart text{font-size:11px;fill:var(--dim)}
.chart .grid{stroke:var(--grid);stroke-width:1;shape-rendering:crispEdges}
.chart .base{stroke:var(--line);shape-rendering:crispEdges}
.chart .bar{fill:var(--bar)}
.chart .bar.tail{fill:var(--tail)}
.chart .curve{fill:none;stroke:var(--curve);stroke-width:2;vector-effect:non-scaling-stroke;stroke-linejoin:round}
.chart .curve.output{stroke-width:1.5;stroke-dasharray:5 4;opacity:.75}
.chart .beyond{fill:var(--beyond)}
.chart line.limit{stroke:var(--limit);stroke-width:2}
.chart line.deadline{stroke:var(--dim);stroke-width:1.5;stroke-dasharray:4 4}
.chart text.limit{fill:var(--limit);font-weight:600;font-size:12px}
.chart circle.mark{fill:var(--card);stroke:var(--curve);stroke-width:2}
.chart text.mark{fill:var(--ink);font-size:12px}
.chart text.mark,.chart text.deadline{paint-order:stroke;stroke:var(--card);stroke-width:4px;stroke-linejoin:round}
.chart .name{fill:var(--dim)}
.headers{fill:var(--headers);background:var(--headers)}
.silent{fill:var(--silent);background:var(--silent)}
.thinking{fill:var(--thinking);background:var(--thinking)}
.answer{fill:var(--answer);background:var(--answer)}
.failed{fill:var(--failed);background:var(--failed)}
.turns{list-style:none;margin:0;padding:0}
.turns li{padding:12px 0 10px;border-top:1px solid var(--line)}
.turns li:first-child{border-top:0;padding-top:0}
.turns p{margin-bottom:6px;overflow-wrap:anywhere}
.turns small{display:block;font-size:13px;color:var(--dim)}
.chart text.lane{fill:var(--ink)}
.legend{color:var(--dim);font-size:13px;margin:10px 0 0}
h2+.legend{margin:-6px 0 12px}
.legend span{white-space:nowrap;margin-right:12px}
.key{display:inline-block;width:10px;height:10px;border-radius:2px;margin-right:6px}
.key.bar{background:var(--bar)}.key.tail{background:var(--tail)}
.key.line{width:22px;height:0;border-radius:0;border-top:2px solid var(--curve);vertical-align:4px}
.key.dashed{border-top-style:dashed;border-top-width:1.5px}
.key.limit{width:0;height:13px;border-radius:0;border-left:2px solid var(--limit);vertical-align:-2px}
footer{color:var(--dim);font-size:13px;margin-top:32px}
footer p{margin-bottom:8px}
ul{margin:4px 0 0;padding-left:18px}
@media (max-width:700px){main{padding:20px 12px 32px}.card{padding:16px 14px}.band{grid-template-columns:minmax(0,1fr)}
.wide{display:none}h1{font-size:24px}}
@media print{body{background:#fff}.card{break-inside:avoid}}
`;
