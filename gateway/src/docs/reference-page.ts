import type { Deprecation } from '@tollgate/contracts/deprecation';
import { PAYMENT_LIMITS, Payment } from '@tollgate/contracts/payment';
import { fieldRows } from '@tollgate/contracts/schema-fields';
import { SCOPES } from '@tollgate/contracts/scopes';
import { SECRET_SCANNING_PATH } from '@tollgate/contracts/secret-scanning';
import type { TSchema } from 'typebox';
import type { Operation } from '../operations/operations.ts';
import { errorLink } from './error-pages.ts';
import { EXAMPLE_PAYMENT_ID } from './examples.ts';
import { type Html, html, prose } from './html.ts';
import { OPERATION_DOCS } from './operation-docs.ts';
import { codeBlock, jsonBlock, page, table } from './page.ts';

/** `/docs`: the API reference, generated from the same schemas as the OpenAPI document. */
export function referencePage(operations: readonly Operation[]): string {
  return page(
    'Reference',
    html`<h1>Payments API</h1>
<p class="lead">Create, read, and cancel payments. Live and sandbox have separate base URLs and the same reference. Keys and data of one
environment are never visible in the other.</p>
${authentication()}
${conventions()}
${operations.map(operationSection)}
${secretScanning()}
<h2 id="payment">The payment</h2>
<p>Every field is always present. Times are RFC 3339 in UTC. Amounts are integers in minor units of the currency.</p>
${fieldsTable(Payment, false)}`,
  );
}

function secretScanning(): Html {
  return html`<h2 id="secret-scanning">Secret scanning</h2>
<p><code>POST ${SECRET_SCANNING_PATH}</code></p>
<p>Accepts the signed alerts of GitHub's secret scanning partner program. An API key that was found in public is revoked or flagged, as
its team chose. This operation takes no API key.</p>`;
}

function authentication(): Html {
  return html`<h2 id="authentication">Authentication</h2>
<p>Send an API key as a bearer token: <code>Authorization: Bearer tg_sandbox_…</code>. A key belongs to one environment and has scopes:</p>
${table(
  ['Scope', 'Allows'],
  Object.entries(SCOPES).map(([scope, { allows }]) => [html`<code>${scope}</code>`, html`${allows}`]),
)}`;
}

function conventions(): Html {
  return html`<h2 id="conventions">Conventions</h2>
<p><strong>Addresses.</strong> In the examples, <code>$BASE_URL</code> is the base URL of the environment and <code>$API_KEY</code> one of its keys.</p>
<p><strong>Sandbox.</strong> <code>payment_method</code> decides the outcome of a sandbox payment. With <code>pm_succeed</code>, or without a payment method, it succeeds after a few
seconds. With <code>pm_decline</code> and <code>pm_insufficient_funds</code> it fails, with <code>pm_hold</code> it stays pending, and with <code>pm_slow</code> it stays
processing for a minute.</p>
<p><strong>Retries.</strong> Send an <code>Idempotency-Key</code> with every POST. The same key with the same request returns the first response again, with
<code>Idempotent-Replayed: true</code>. The same key with another request is rejected. Idempotency keys never expire.</p>
<p><strong>Limits.</strong> <code>RateLimit-Policy</code> contains the burst <code>q</code> and the seconds <code>w</code> in which it refills. <code>RateLimit</code> contains the remaining
requests <code>r</code> and the seconds <code>t</code> until the full burst is available again. After a 429, wait for <code>Retry-After</code> seconds. A request body may have up to
${PAYMENT_LIMITS.bodyBytes / 1024} KiB.</p>
<p><strong>Strictness.</strong> Unknown fields and query parameters are rejected, so that you notice a misspelled one. A path with a trailing slash is another path.</p>
<p><strong>Help.</strong> Every response has an <code>X-Request-Id</code>. Your <code>traceparent</code> is forwarded.</p>`;
}

function operationSection(operation: Operation): Html {
  const docs = OPERATION_DOCS[operation.name];
  return html`<h2 id="${docs.operationId}">${docs.summary}</h2>
<p><code>${operation.method} ${operation.path.replace(':payment_id', '{payment_id}')}</code> · scope <code>${operation.scope}</code></p>
${operation.deprecation ? deprecationNotice(operation.deprecation) : ''}
<p>${prose(docs.description)}</p>
${docs.body ? html`<h3>Body</h3>\n${fieldsTable(docs.body.schema, true)}` : ''}
<h3>Example</h3>
${codeBlock(curlOf(operation))}
${docs.successes.map(
  ({ status, description, example }) => html`<h3>${status} response</h3>
<p>${description}</p>
${jsonBlock(example)}`,
)}
<h3>Errors</h3>
<p>${docs.errors.map((code, index) => html`${index > 0 ? ', ' : ''}${errorLink(code)}`)}</p>`;
}

function deprecationNotice({ since, sunset, link }: Deprecation): Html {
  const day = (date: Date) => date.toISOString().slice(0, 10);
  return html`<p><strong>Deprecated since ${day(since)}.</strong> Stops working on ${day(sunset)}.
<a href="${link.href}">What to use instead</a></p>`;
}

function curlOf(operation: Operation): string {
  const { body } = OPERATION_DOCS[operation.name];
  const lines = [
    `curl ${operation.method === 'POST' ? '-X POST ' : ''}"$BASE_URL${operation.path.replace(':payment_id', EXAMPLE_PAYMENT_ID)}"`,
    '-H "Authorization: Bearer $API_KEY"',
  ];
  if (operation.method === 'POST') lines.push('-H "Idempotency-Key: order-4711"');
  if (body) lines.push('-H "Content-Type: application/json"', `-d '${JSON.stringify(body.example)}'`);
  return lines.join(' \\\n  ');
}

function fieldsTable(schema: TSchema, isRequest: boolean): Html {
  return table(
    ['Field', 'Type', isRequest ? 'Required' : '', 'Description'].filter((head) => head !== ''),
    fieldRows(schema).map((row) => [
      html`<code>${row.name}</code>`,
      html`${row.type}`,
      ...(isRequest ? [html`${row.required ? 'yes' : 'no'}`] : []),
      html`${row.description}`,
    ]),
  );
}
