import { Html, html } from './html.ts';
import { ERRORS_PATH, OPENAPI_PATH, REFERENCE_PATH } from './paths.ts';
import { STYLE } from './style.ts';

/** A complete page. Links are relative to the listener, so that they stay in the same environment. */
export function page(title: string, content: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Tollgate</title>
${new Html(`<style>${STYLE}</style>`)}
</head>
<body>
<nav><a href="${REFERENCE_PATH}">Reference</a><a href="${ERRORS_PATH}">Errors</a><a href="${OPENAPI_PATH}">OpenAPI</a></nav>
<main>
${content}
</main>
</body>
</html>
`.text;
}

export function codeBlock(text: string): Html {
  return html`<pre><code>${text}</code></pre>`;
}

export function jsonBlock(value: unknown): Html {
  return codeBlock(JSON.stringify(value, null, 2));
}

export function table(heads: string[], rows: Html[][]): Html {
  return html`<div class="table"><table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>\n`)}</tbody>
</table></div>`;
}
