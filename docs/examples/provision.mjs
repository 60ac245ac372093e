// Creates an application with rate limits, an API key, and a webhook endpoint. Safe to run again: what exists is kept, and
// a limit that differs is changed. Requires Node 22 or later, and no packages.
//
//   TOLLGATE_API_TOKEN=tg_admin_… WEBHOOK_URL=http://localhost:4000/ node docs/examples/provision.mjs

import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

const ADMIN_URL = process.env.TOLLGATE_ADMIN_URL ?? 'http://localhost:8082';
const TOKEN = process.env.TOLLGATE_API_TOKEN;
// Set it to create again, within 24 hours, what was archived, revoked, or deleted.
const RECREATE = process.env.RECREATE === '1';
const MAX_ATTEMPTS = 4;

const WANTED = {
  application: {
    name: process.env.APPLICATION_NAME ?? 'Web shop',
    scopes: ['payment:create', 'payment:read', 'payment:cancel'],
    // Finds the application again, even after a member has renamed it.
    labels: { 'managed-by': 'provision', project: 'web-shop' },
    limits: {
      live: { requests_per_second: 50, burst: 100 },
      sandbox: { requests_per_second: 20, burst: 40 },
    },
  },
  key: { name: 'Web shop server', environment: 'sandbox' },
  endpoint: {
    environment: 'sandbox',
    url: process.env.WEBHOOK_URL ?? 'http://localhost:4000/',
    event_types: ['payment.succeeded', 'payment.failed'],
  },
};

if (!TOKEN) fail('Set TOLLGATE_API_TOKEN to an API token with the admin role.');
let changes = 0;
const application = await provideApplication();
await provideLimits(application);
await provideKey(application);
await provideEndpoint(application);
console.log(changes === 0 ? 'Nothing changed.' : `Done: ${changes} created or changed.`);

async function provideApplication() {
  const { labels } = WANTED.application;
  const hasLabels = (found) => Object.entries(labels).every(([key, value]) => found.labels[key] === value);
  const query = `status=active&label=${encodeURIComponent(`project:${labels.project}`)}`;
  const existing = await find(`/applications?${query}`, hasLabels);
  return existing
    ? report('exists', 'application', existing)
    : create('application', '/applications', WANTED.application);
}

async function provideLimits({ id }) {
  const { limits } = WANTED.application;
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

async function provideKey({ id }) {
  const { name, environment } = WANTED.key;
  const query = `environment=${environment}&status=active`;
  const existing = await find(`/applications/${id}/keys?${query}`, (key) => key.name === name);
  return existing
    ? report('exists', 'API key', existing)
    : create('API key', `/applications/${id}/keys`, WANTED.key);
}

async function provideEndpoint({ id }) {
  const { url, environment } = WANTED.endpoint;
  const query = `application_id=${id}&environment=${environment}`;
  const existing = await find(`/webhook-endpoints?${query}`, (endpoint) => endpoint.url === url);
  return existing
    ? report('exists', 'webhook endpoint', existing)
    : create('webhook endpoint', '/webhook-endpoints', { application_id: id, ...WANTED.endpoint });
}

/** Reads a list page by page. Returns the first row that matches, or undefined. */
async function find(path, matches) {
  let cursor = '';
  do {
    const { body } = await call('GET', `${path}&limit=100${cursor}`);
    const row = body.data.find(matches);
    if (row) return row;
    cursor = body.next_cursor && `&cursor=${encodeURIComponent(body.next_cursor)}`;
  } while (cursor);
}

/**
 * Creates a resource once. The same request always has the same idempotency key, so that a repeated request, or a second
 * run at the same time, creates no second resource.
 */
async function create(kind, path, body) {
  const hash = createHash('sha256')
    .update(JSON.stringify([path, body]))
    .digest('hex');
  const key = { 'Idempotency-Key': RECREATE ? randomUUID() : hash };
  const { body: resource, headers } = await call('POST', path, { body, headers: key });
  const isReplayed = headers.get('Idempotent-Replayed') === 'true';
  if (isReplayed && ['archived', 'revoked', 'expired'].includes(resource.status))
    fail(
      `An earlier run created the ${kind} ${resource.id}, which is ${resource.status}. Set RECREATE=1 to create another.`,
    );
  return report(isReplayed ? 'exists' : 'created', kind, resource);
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
