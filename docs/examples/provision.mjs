// Creates an application with rate limits, an API key, and a webhook endpoint. Safe to run again: what exists is kept, and
// a limit that differs is changed. Requires Node 22 or later, and no packages.
//
//   TOLLGATE_API_TOKEN=tg_admin_… WEBHOOK_URL=http://localhost:4000/ node docs/examples/provision.mjs

import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

const ADMIN_URL = process.env.TOLLGATE_ADMIN_URL ?? 'http://localhost:8082';
const TOKEN = process.env.TOLLGATE_API_TOKEN;
const MAX_ATTEMPTS = 4;

const APPLICATION = {
  name: process.env.APPLICATION_NAME ?? 'Web shop',
  scopes: ['payment:create', 'payment:read', 'payment:cancel'],
  // Finds the application again, even after a member has renamed it.
  labels: { 'managed-by': 'provision', project: 'web-shop' },
  limits: {
    live: { requests_per_second: 50, burst: 100 },
    sandbox: { requests_per_second: 20, burst: 40 },
  },
};
const KEY = { name: 'Web shop server', environment: 'sandbox' };
const ENDPOINT = {
  environment: 'sandbox',
  url: process.env.WEBHOOK_URL ?? 'http://localhost:4000/',
  event_types: ['*'],
};

if (!TOKEN) fail('Set TOLLGATE_API_TOKEN to an API token with the admin role.');
let changes = 0;
const { id } = await provide('application', '/applications', APPLICATION, {
  query: `status=active&label=${encodeURIComponent(`project:${APPLICATION.labels.project}`)}`,
  isWanted: (found) => found.labels['managed-by'] === APPLICATION.labels['managed-by'],
});
await provideLimits();
await provide('API key', `/applications/${id}/keys`, KEY, {
  query: `status=active&environment=${KEY.environment}`,
  isWanted: (found) => found.name === KEY.name,
});
await provide(
  'webhook endpoint',
  '/webhook-endpoints',
  { application_id: id, ...ENDPOINT },
  {
    query: `application_id=${id}&environment=${ENDPOINT.environment}`,
    isWanted: (found) => found.url === ENDPOINT.url,
  },
);
console.log(changes === 0 ? 'Nothing changed.' : `Done: ${changes} created or changed.`);

/** Creates a resource unless one of those that the query lists is wanted. */
async function provide(kind, path, body, { query, isWanted }) {
  let cursor = '';
  do {
    const { body: page } = await call('GET', `${path}?${query}&limit=100${cursor}`);
    const existing = page.data.find(isWanted);
    if (existing) return report('exists', kind, existing);
    cursor = page.next_cursor && `&cursor=${encodeURIComponent(page.next_cursor)}`;
  } while (cursor);
  // A repetition of this request creates no second resource.
  const headers = { 'Idempotency-Key': randomUUID() };
  const { body: created } = await call('POST', path, { body, headers });
  return report('created', kind, created);
}

async function provideLimits() {
  const { limits } = APPLICATION;
  const { body, headers } = await call('GET', `/applications/${id}`);
  const isWanted = ['live', 'sandbox'].every((environment) =>
    Object.entries(limits[environment]).every(([field, value]) => body.limits[environment][field] === value),
  );
  if (isWanted) return report('exists', 'limits of', body);
  // The entity tag rejects the change if another caller has changed the application since it was read.
  const ifMatch = { 'If-Match': headers.get('ETag') };
  await call('PUT', `/applications/${id}/limits`, { body: { limits }, headers: ifMatch });
  return report('changed', 'limits of', body);
}

/** Repeats a request as long as the response says that this is safe and can help. */
async function call(method, path, { body, headers = {} } = {}) {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(`${ADMIN_URL}/admin/v1${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${TOKEN}`,
        ...(body && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    }).catch((error) =>
      fail(`${method} ${path}: ${error.cause?.message ?? error.message}. Run the script again.`),
    );
    const reply = await response.json();
    if (response.ok) return { body: reply, headers: response.headers };
    if (response.headers.get('X-Should-Retry') !== 'true' || attempt === MAX_ATTEMPTS)
      fail(`${method} ${path}: ${describe(reply)}`);
    await delay(Number(response.headers.get('Retry-After') ?? 2 ** attempt) * 1000);
  }
}

function describe({ title, detail, errors = [], request_id }) {
  const fields = errors.map(
    (error) => ` ${error.pointer ?? error.parameter ?? error.header}: ${error.detail}`,
  );
  return `${title}. ${detail}${fields.join('')} (request ${request_id})`;
}

/** The secret is in the response that creates a resource, and in no later one. */
function report(outcome, kind, resource) {
  if (outcome !== 'exists') changes += 1;
  console.log(`${outcome}: ${kind} ${resource.name ?? resource.url} (${resource.id})`);
  if (resource.secret) console.log(`  secret: ${resource.secret}`);
  return resource;
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
