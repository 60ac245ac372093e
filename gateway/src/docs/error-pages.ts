import { ERRORS, type ErrorCode, type ErrorDefinition } from '@tollgate/contracts/errors';
import { exampleProblem } from './example-problem.ts';
import { type Html, html, prose } from './html.ts';
import { jsonBlock, page, table } from './page.ts';
import { ERRORS_PATH } from './paths.ts';

const CODES = Object.keys(ERRORS) as ErrorCode[];

const RETRY_TEXT = {
  never: { short: 'no', long: 'must not be retried unchanged' },
  always: { short: 'yes', long: 'may be retried unchanged' },
  safely: {
    short: 'POST: with a key',
    long: 'may be retried unchanged; a POST only with an Idempotency-Key',
  },
} as const;

function retryRule(code: ErrorCode): keyof typeof RETRY_TEXT {
  const { retryable, outcomeIsUnknown }: ErrorDefinition = ERRORS[code];
  if (!retryable) return 'never';
  return outcomeIsUnknown ? 'safely' : 'always';
}

export function errorLink(code: ErrorCode): Html {
  return html`<a href="${ERRORS_PATH}/${code}"><code>${code}</code></a>`;
}

/** `/docs/errors` lists every code by status. */
export function errorsPage(): string {
  const rows = CODES.toSorted((a, b) => ERRORS[a].status - ERRORS[b].status).map((code) => [
    html`${ERRORS[code].status}`,
    errorLink(code),
    prose(ERRORS[code].title),
    html`${RETRY_TEXT[retryRule(code)].short}`,
  ]);
  return page(
    'Errors',
    html`<h1>Errors</h1>
<p class="lead">Errors are returned as <code>application/problem+json</code> (RFC 9457). Decide by <code>code</code>: it is stable, while
<code>title</code> and <code>detail</code> are for people. <code>retryable</code>, and the header <code>X-Should-Retry</code>, say for this request whether it may
be repeated unchanged without a second effect. A <code>POST</code> whose outcome is unknown may be repeated only with an <code>Idempotency-Key</code>.</p>
${table(['Status', 'Code', 'Meaning', 'Retryable'], rows)}`,
  );
}

/** `/docs/errors/<code>`, the `type` of problems; null for an unknown code. */
export function errorPage(code: string, docsBaseUrl: string): string | null {
  if (!Object.hasOwn(ERRORS, code)) return null;
  const known = code as ErrorCode;
  const { status, title, remedy } = ERRORS[known];
  return page(
    known,
    html`<h1>${title}</h1>
<p class="lead"><code>${known}</code> · status ${status} · ${RETRY_TEXT[retryRule(known)].long}</p>
<h3>What to do</h3>
<p>${prose(remedy)}</p>
<h3>Example</h3>
${jsonBlock(exampleProblem(known, docsBaseUrl))}`,
  );
}
