/** The look of the pages that the server renders by itself. Colours and fonts are those of `web/src/app/styles.css`. */
export const PUBLIC_PAGE_CSS = `@font-face{font-family:"Inter Variable";src:url(/public-pages/inter.woff2) format("woff2");font-weight:100 900;font-display:swap}
@font-face{font-family:"JetBrains Mono Variable";src:url(/public-pages/mono.woff2) format("woff2");font-weight:100 800;font-display:swap}
:root{color-scheme:light dark;--canvas:light-dark(#fff,#101312);--surface:light-dark(#f7f8f7,#161a18);--line:light-dark(#e1e5e3,#29302d);
--ink:light-dark(#131816,#e8ecea);--muted:light-dark(#4d5753,#a9b3ae);--accent:light-dark(#0b6d42,#4fc98c);--blue:light-dark(#1a56a0,#8dbdf7);
--orange:light-dark(#98400a,#f6ac78);--red:light-dark(#a81c12,#f49b91);--selected:light-dark(#e5eeea,#1d2f28);--faint:light-dark(#c3cac6,#3d4743)}
*{box-sizing:border-box}
html{scroll-padding-top:72px}
body{margin:0;background:var(--canvas);color:var(--ink);font:16px/1.6 "Inter Variable",Inter,system-ui,sans-serif;font-variant-numeric:tabular-nums}
a{color:var(--accent)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.skip{position:absolute;left:-9999px}
.skip:focus{left:8px;top:8px;background:var(--canvas);padding:8px;z-index:2}
.top{position:sticky;top:0;z-index:1;display:flex;align-items:center;gap:24px;height:52px;padding:0 24px;background:var(--canvas);border-bottom:1px solid var(--line);font-size:14px}
.top ul{display:flex;gap:20px;list-style:none;margin:0;padding:0}
.top a{color:var(--muted);text-decoration:none}
.top a:hover,.top a[aria-current]{color:var(--ink)}
.top a.brand{display:flex;align-items:center;gap:8px;color:var(--ink);font-weight:600;font-size:16px}
.columns{display:grid;grid-template-columns:264px minmax(0,1fr)}
.contents{position:sticky;top:52px;align-self:start;max-height:calc(100vh - 52px);overflow:auto;padding:24px 16px 24px 24px;font-size:14px}
.contents ul{list-style:none;padding:0;margin:0}
.contents li a{display:block;padding:5px 8px;border-radius:6px;color:var(--muted);text-decoration:none}
.contents li a:hover{color:var(--ink)}
.contents li a[aria-current]{background:var(--selected);color:var(--ink);font-weight:500}
.search{margin:0 0 16px}
.search input,.draw select{width:100%;font:inherit;color:inherit;background:var(--canvas);border:1px solid light-dark(#84908b,#6d7a74);border-radius:6px;padding:6px 10px}
.search label{display:block;font-size:13px;color:var(--muted);margin-bottom:4px}
button{font:inherit;font-size:14px;font-weight:500;color:#fff;background:light-dark(#0d7a4a,#12824f);border:0;border-radius:6px;padding:8px 14px;cursor:pointer}
main{padding:32px 40px 96px;max-width:1000px;border-left:1px solid var(--line)}
main.guide{max-width:820px}
main.guide>p,main.guide>ul,main.guide>ol,main.guide>blockquote{max-width:64ch}
h1{font-size:28px;line-height:36px;margin:0 0 12px;letter-spacing:-.01em}
h2{font-size:20px;line-height:28px;margin:40px 0 8px}
main.developers h2{margin-top:48px;padding-top:16px;border-top:1px solid var(--line)}
h3{font-size:16px;margin:28px 0 4px;overflow-wrap:anywhere}
h4{font-size:13px;margin:16px 0 4px;color:var(--muted)}
h2 .anchor,h3 .anchor{color:var(--faint);text-decoration:none;margin-left:6px;opacity:0}
h2:hover .anchor,h3:hover .anchor,.anchor:focus{opacity:1}
.lead{color:var(--muted);margin:0}
blockquote{margin:16px 0;padding:8px 16px;border-left:3px solid light-dark(#7340bf,#b99af2);background:var(--surface);border-radius:0 6px 6px 0}
blockquote p{margin:0}
code,pre{font-family:"JetBrains Mono Variable",ui-monospace,Menlo,monospace;font-size:13px}
:not(pre)>code{background:var(--surface);border-radius:4px;padding:1px 4px}
pre{background:var(--surface);border:1px solid var(--line);border-radius:6px;padding:12px 16px;overflow:auto;line-height:1.5;max-height:480px}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:14px;line-height:1.45}
th,td{text-align:left;padding:8px 16px 8px 0;border-bottom:1px solid var(--line);vertical-align:top}
th{font-weight:500;color:var(--muted)}
.required{font-size:12px;color:var(--orange)}
.method{font-size:13px;font-weight:600}
.get{color:var(--accent)}.post{color:var(--blue)}.patch{color:var(--orange)}.delete{color:var(--red)}
.access{color:var(--muted);font-size:14px;margin:0}
.try input,.try textarea{display:block;width:100%;max-width:640px;font:inherit;font-size:14px;color:inherit;background:var(--canvas);border:1px solid light-dark(#84908b,#6d7a74);border-radius:6px;padding:6px 10px}
.try textarea{font-family:"JetBrains Mono Variable",ui-monospace,Menlo,monospace;font-size:13px;max-width:none}
.try label{display:block;font-size:13px;color:var(--muted)}
[hidden]{display:none}
.copy{float:right;font-size:13px;padding:2px 8px;color:var(--ink);background:var(--surface);border:1px solid var(--line)}
.download{font-weight:400;font-size:13px}
dt{font-weight:600;margin-top:12px}
dd{margin:0}
figure{margin:24px 0;border:1px solid var(--line);border-radius:6px;padding:16px}
main.guide picture img{display:block;max-width:100%;height:auto;border:1px solid var(--line);border-radius:6px}
figure svg{display:block;width:100%;height:auto}
figcaption{font-size:14px;color:var(--muted);margin-top:8px}
.figures{display:flex;flex-wrap:wrap;gap:8px 32px;margin:0 0 12px}
.figures dt{font-weight:400;font-size:13px;color:var(--muted);margin:0}
.figures dd{font-size:20px;font-weight:600}
.draw{display:flex;gap:12px;align-items:center;margin-top:12px}
.steps{display:flex;justify-content:space-between;gap:16px;margin-top:56px;padding-top:16px;border-top:1px solid var(--line);font-size:14px}
.results{padding:0;list-style:none}
.results li{margin:0 0 20px}
.results p{margin:2px 0 0;color:var(--muted);font-size:14px}
.bar{fill:light-dark(#c3cac6,#3d4743)}.bar.best{fill:light-dark(#b3430a,#f59a66)}
.axis{stroke:var(--line)}.tick{fill:var(--muted);font:12px "Inter Variable",sans-serif}
.path{fill:none;stroke:light-dark(#c3cac6,#3d4743);stroke-width:1}.path.best{stroke:light-dark(#b3430a,#f59a66);stroke-width:2}
main.result{margin:0 auto;max-width:960px;border-left:0}
main.result h1{overflow-wrap:anywhere}
.num{text-align:right;white-space:nowrap}
td.num,th.num{padding-left:16px;padding-right:0}
td.num+td:not(.num),th.num+th:not(.num){padding-left:24px}
main.result td{white-space:nowrap}
main.result .scroll+.lead{margin-top:12px}
.curve .path{stroke:var(--muted);stroke-width:1.3}
.curve .path.value{stroke:var(--accent);stroke-width:2}
.since{fill:light-dark(#0b6d4214,#4fc98c1f)}
.key{display:inline-block;width:18px;height:0;border-top:2px solid var(--muted);vertical-align:middle;margin:0 4px 0 12px}
.key.value{border-color:var(--accent);margin-left:0}
.notice{background:light-dark(#fdf1e7,#33231a);border-radius:6px;padding:8px 12px;font-size:14px}
.provenance{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:4px 16px;font-size:14px}
.provenance dt{margin:0;font-weight:400;color:var(--muted)}
.provenance dd{overflow-wrap:anywhere}
.action{display:inline-block;background:light-dark(#0d7a4a,#12824f);color:#fff;border-radius:6px;padding:8px 14px;font-size:14px;font-weight:500;text-decoration:none}
footer{border-top:1px solid var(--line);padding:16px 24px;font-size:13px;color:var(--muted)}
.to-contents{display:none;margin:0 0 16px;font-size:14px}
@media (max-width:800px){.columns{display:flex;flex-direction:column}.contents{order:2;position:static;max-height:none;padding:24px 16px;border-top:1px solid var(--line)}
.to-contents{display:block}main{padding:20px 16px 48px;border-left:0}.top{padding:0 16px;gap:16px;overflow-x:auto}.top ul{gap:14px;white-space:nowrap}}
@media (max-width:800px){.curve{padding:8px}.curve .tick{font-size:24px}.curve .path{stroke-width:2.5}.curve .path.value{stroke-width:4}}
@media (prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}
@media (max-width:420px){.top a.brand{font-size:0;gap:0}.top{padding:0 12px;gap:10px;font-size:13px}.top ul{gap:10px}}
@media print{.top,.contents,.search,footer,.steps,.draw{display:none}.columns{display:block}main{border:0;padding:0}}
`;
