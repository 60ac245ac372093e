import type { Direction } from './difference.ts';
import { type Body, resolveReference } from './openapi-document.ts';
import type { OperationPair } from './operation-pair.ts';
import { isSuccess, responsesOf } from './responses.ts';

/** Compares request bodies, successful responses, and the headers of all responses. */
export function compareBodies(pair: OperationPair): void {
  compareRequestBodies(pair);
  compareStatuses(pair);
  compareHeaders(pair, 'response', isSuccess);
  compareHeaders(pair, 'error', (status) => !isSuccess(status));
}

function compareRequestBodies(pair: OperationPair): void {
  const { name, report, released, current, documents } = pair;
  // The sender of a webhook is Tollgate: its clients read the body.
  const isWebhook = name.startsWith('webhook ');
  const kind = isWebhook ? 'body' : 'request';
  const text = isWebhook ? `\`${name}\` body` : `\`${name}\` request body`;
  const before = resolveReference<Body | undefined>(released.requestBody, documents.released);
  const after = resolveReference<Body | undefined>(current.requestBody, documents.current);
  if (before && after) {
    if (after.required && !before.required) report({ sentence: `${text}: required`, impact: 'breaking' });
    if (!after.required && before.required) report({ sentence: `${text}: optional`, impact: 'compatible' });
    compareContent(pair, before, after, { kind, direction: isWebhook ? 'response' : 'request' });
  } else if (after)
    report({ sentence: `${text}: added`, impact: after.required ? 'breaking' : 'compatible' });
  else if (before) report({ sentence: `${text}: removed`, impact: 'breaking' });
}

function compareStatuses(pair: OperationPair): void {
  const { name, report, released, current, documents } = pair;
  const before = responsesOf(released, documents.released, isSuccess);
  const after = responsesOf(current, documents.current, isSuccess);
  for (const [status, response] of after) {
    const old = before.get(status);
    if (old) compareContent(pair, old, response, { kind: 'response', direction: 'response' });
    else report({ sentence: `\`${name}\` response status \`${status}\`: added`, impact: 'compatible' });
  }
  for (const status of before.keys())
    if (!after.has(status))
      report({ sentence: `\`${name}\` response status \`${status}\`: removed`, impact: 'breaking' });
}

function compareContent(
  { name, report, compareSchemas }: OperationPair,
  before: Body,
  after: Body,
  { kind, direction }: { kind: string; direction: Direction },
): void {
  for (const [mediaType, { schema }] of Object.entries(after.content ?? {})) {
    const old = before.content?.[mediaType];
    if (old) compareSchemas(old.schema ?? {}, schema ?? {}, { direction, owner: name, kind, path: '' });
    else report({ sentence: `\`${name}\` ${kind} media type \`${mediaType}\`: added`, impact: 'compatible' });
  }
  for (const mediaType of Object.keys(before.content ?? {}))
    if (after.content?.[mediaType] === undefined)
      report({ sentence: `\`${name}\` ${kind} media type \`${mediaType}\`: removed`, impact: 'breaking' });
}

function compareHeaders(
  { name, report, released, current, documents }: OperationPair,
  kind: string,
  has: (status: string) => boolean,
): void {
  const before = headersOf(responsesOf(released, documents.released, has));
  const after = headersOf(responsesOf(current, documents.current, has));
  const text = (header: string) => `\`${name}\` ${kind} header \`${header}\``;
  for (const header of after.difference(before))
    report({ sentence: `${text(header)}: added`, impact: 'compatible' });
  for (const header of before.difference(after))
    report({ sentence: `${text(header)}: removed`, impact: 'breaking' });
}

function headersOf(responses: Map<string, Body>): Set<string> {
  return new Set([...responses.values()].flatMap(({ headers = {} }) => Object.keys(headers)));
}
