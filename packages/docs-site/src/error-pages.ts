import { ERRORS, type ErrorCode, type ErrorDefinition } from '@tollgate/contracts/platform/errors';
import { exampleProblem } from '@tollgate/gateway/docs/example-problem';
import { createPage, type Page } from './page.ts';
import { DOCS_BASE_URL } from './reference/documents.ts';
import { joined, jsonBlock, table } from './reference/markdown.ts';

const CODES = (Object.keys(ERRORS) as ErrorCode[]).toSorted((a, b) => ERRORS[a].status - ERRORS[b].status);

const RETRY_TEXT = {
  never: { short: 'no', long: 'must not be repeated unchanged' },
  always: { short: 'yes', long: 'may be repeated unchanged' },
  safely: {
    short: 'POST: with a key',
    long: 'may be repeated unchanged; a POST only with an `Idempotency-Key`',
  },
} as const;

function retryRule(code: ErrorCode): keyof typeof RETRY_TEXT {
  const { retryable, outcomeIsUnknown }: ErrorDefinition = ERRORS[code];
  if (!retryable) return 'never';
  return outcomeIsUnknown ? 'safely' : 'always';
}

/** The list of all codes, and a page for each, which the `type` of a problem links to. */
export function errorPages(): Page[] {
  return [errorList(), ...CODES.map(errorPage)];
}

function errorList(): Page {
  const rows = CODES.map((code) => [
    String(ERRORS[code].status),
    `[\`${code}\`](./errors/${code}.md)`,
    ERRORS[code].title,
    RETRY_TEXT[retryRule(code)].short,
  ]);
  return createPage(
    'errors',
    'Errors',
    joined(
      'Errors are returned as `application/problem+json` (RFC 9457). Branch on `code`, which is stable, while `title` and `detail` are for people.',
      '`retryable`, and the header `X-Should-Retry`, say whether this request may be repeated unchanged without a second effect. [Errors and retries](./guides/errors-and-retries.md) says how.',
      table(['Status', 'Code', 'Meaning', 'Retryable'], rows),
    ),
  );
}

function errorPage(code: ErrorCode): Page {
  const { status, title, remedy } = ERRORS[code];
  return createPage(
    `errors/${code}`,
    title,
    joined(
      `\`${code}\` · status ${status} · ${RETRY_TEXT[retryRule(code)].long}`,
      '## What to do',
      remedy,
      'The request is in the dashboard under Requests, by its `request_id`. [All errors](../errors.md)',
      '## Example',
      jsonBlock(exampleProblem(code, DOCS_BASE_URL)),
    ),
  );
}
