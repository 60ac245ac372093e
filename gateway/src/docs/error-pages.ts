import { ERRORS, type ErrorCode } from '@tollgate/contracts/errors';
import { type Html, html, prose } from './html.ts';
import { exampleProblem } from './openapi-parts.ts';
import { jsonBlock, page, table } from './page.ts';
import { ERRORS_PATH } from './paths.ts';

const CODES = Object.keys(ERRORS) as ErrorCode[];

export function errorLink(code: ErrorCode): Html {
  return html`<a href="${ERRORS_PATH}/${code}"><code>${code}</code></a>`;
}

/** `/docs/errors` lists every code by status. */
export function errorsPage(): string {
  const rows = CODES.toSorted((a, b) => ERRORS[a].status - ERRORS[b].status).map((code) => [
    html`${ERRORS[code].status}`,
    errorLink(code),
    prose(ERRORS[code].title),
    html`${ERRORS[code].retryable ? 'yes' : 'no'}`,
  ]);
  return page(
    'Errors',
    html`<h1>Errors</h1>
<p class="lead">Errors are returned as <code>application/problem+json</code> (RFC 9457). Decide by <code>code</code>: it is stable, while
<code>title</code> and <code>detail</code> are for people. <code>retryable</code>, and the header <code>X-Should-Retry</code>, say whether the same request may
succeed later, unchanged.</p>
${table(['Status', 'Code', 'Meaning', 'Retryable'], rows)}`,
  );
}

/** `/docs/errors/<code>`, the `type` of problems; null for an unknown code. */
export function errorPage(code: string, docsBaseUrl: string): string | null {
  if (!Object.hasOwn(ERRORS, code)) return null;
  const known = code as ErrorCode;
  const { status, title, remedy, retryable } = ERRORS[known];
  return page(
    known,
    html`<h1>${title}</h1>
<p class="lead"><code>${known}</code> · status ${status} · ${retryable ? 'may be retried unchanged' : 'must not be retried unchanged'}</p>
<h3>What to do</h3>
<p>${prose(remedy)}</p>
<h3>Example</h3>
${jsonBlock(exampleProblem(known, docsBaseUrl))}`,
  );
}
