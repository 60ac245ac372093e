const STYLESHEET = /[ \t]*<link [^>]*rel="stylesheet"[^>]*>\n?/g;
const PRELOAD = /[ \t]*<link [^>]*rel="(?:modulepreload|preload)"/;
const MODULE = 'rel="modulepreload"';
const END_OF_HEAD = '</head>';

/**
 * Moves the stylesheets of a page before its preloads, and lowers the priority of scripts. SvelteKit puts stylesheets last, and a browser that
 * loads six files at once would load some sixty scripts first, although it shows nothing before it has the stylesheets.
 */
export function stylesheetsFirst(html: string): string {
  const end = html.indexOf(END_OF_HEAD);
  const head = html.slice(0, Math.max(0, end));
  const preload = PRELOAD.exec(head);
  if (preload === null) return html;
  const stylesheets = head.match(STYLESHEET) ?? [];
  const others = head
    .slice(preload.index)
    .replaceAll(STYLESHEET, '')
    .replaceAll(MODULE, `${MODULE} fetchpriority="low"`);
  return head.slice(0, preload.index) + stylesheets.join('') + others + html.slice(end);
}
