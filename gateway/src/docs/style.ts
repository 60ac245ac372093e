import { createHash } from 'node:crypto';

/** The style sheet, inlined into each page: pages load nothing. */
export const STYLE = `
:root { color-scheme: light dark; --text: light-dark(#1c2330, #e4e8ef); --muted: light-dark(#5a6475, #9aa5b8);
  --line: light-dark(#dfe3ea, #2c3444); --soft: light-dark(#f5f7fa, #1b212d); --accent: light-dark(#0b57b7, #7db4ff); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 56rem; padding: 2rem 1.25rem 4rem; color: var(--text);
  background: light-dark(#fff, #12161e); font: 1rem/1.6 system-ui, sans-serif; }
nav { display: flex; gap: 1.25rem; padding-bottom: 1rem; border-bottom: 1px solid var(--line); }
a { color: var(--accent); }
h1 { font-size: 1.9rem; line-height: 1.25; margin: 2rem 0 .5rem; }
h2 { font-size: 1.35rem; margin: 2.75rem 0 .5rem; padding-top: 1rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 1.75rem 0 .5rem; }
p.lead { color: var(--muted); font-size: 1.1rem; }
code, pre { font: .875em/1.55 ui-monospace, "Cascadia Code", Menlo, monospace; }
code { background: var(--soft); padding: .1em .3em; border-radius: .25rem; overflow-wrap: anywhere; }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: .5rem; padding: 1rem; overflow-x: auto; }
pre code { background: none; padding: 0; overflow-wrap: normal; }
.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--muted); font-weight: 600; font-size: .875rem; }
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Nothing may run or load. The style is allowed by its hash. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
