import { createHash } from 'node:crypto';

/** The style sheet, inlined into the page: it loads nothing. */
export const STYLE = `
:root { color-scheme: light dark; --text: light-dark(#1c2330, #e4e8ef); --muted: light-dark(#5a6475, #9aa5b8);
  --line: light-dark(#dfe3ea, #2c3444); --accent: light-dark(#0b57b7, #7db4ff); --on-accent: light-dark(#fff, #10141c);
  --good: light-dark(#14713d, #6fd49a); --bad: light-dark(#b3261e, #ff9d94); --note: light-dark(#8a4b00, #f2b866); }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.25rem; color: var(--text);
  background: light-dark(#f5f7fa, #12161e); font: 1rem/1.5 system-ui, sans-serif; }
main { width: 100%; max-width: 26rem; padding: 2rem; border: 1px solid var(--line); border-radius: .75rem;
  background: light-dark(#fff, #1b212d); }
p { margin: 0; }
.badge { margin-bottom: 1.75rem; padding-left: .75rem; border-left: 3px solid var(--note); color: var(--note); font-size: .875rem; }
h1 { margin: 0 0 .5rem; font-size: 1.35rem; }
.amount { margin: 0; font-size: 2rem; font-weight: 650; line-height: 1.2; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.purpose { margin-top: .25rem; color: var(--muted); overflow-wrap: anywhere; }
form { display: grid; gap: .625rem; margin: 1.75rem 0 1.25rem; }
button, a.primary { display: block; width: 100%; padding: .7rem 1rem; border: 1px solid var(--line); border-radius: .5rem;
  background: none; color: inherit; font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer; }
.primary { border-color: transparent !important; background: var(--accent) !important; color: var(--on-accent) !important; }
.quiet { border-color: transparent; color: var(--muted); }
button:hover, a.primary:hover { filter: brightness(1.08); }
button:focus-visible, a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.hint { color: var(--muted); font-size: .875rem; }
.result { margin: 1.5rem 0; font-size: 1.125rem; font-weight: 600; }
.succeeded { color: var(--good); }
.failed { color: var(--bad); }
.id { margin-top: 1.5rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--muted);
  font: .75rem/1.5 ui-monospace, Menlo, monospace; overflow-wrap: anywhere; }
`;

export const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');
