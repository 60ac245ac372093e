// Creates an application with its limits, an API key, and a webhook endpoint. Safe to run again: what exists is kept, and
// a limit that differs is changed. Requires Node 22 or later, and no packages.
//
//   TOLLGATE_ADMIN_URL=http://localhost:8082 TOLLGATE_API_TOKEN=tg_admin_… node provision.mjs

const ADMIN_URL = process.env.TOLLGATE_ADMIN_URL ?? 'http://localhost:8082';
const TOKEN = process.env.TOLLGATE_API_TOKEN;

const WANTED = {
  application: {
    name: process.env.APPLICATION_NAME ?? 'Web shop',
    scopes: ['payment:create', 'payment:read', 'payment:cancel'],
    // Finds the application again, even after a member has renamed it.
    labels: { 'managed-by': 'provision', project: 'web-shop' },
  },
  limits: {
    live: { requests_per_second: 50, burst: 100 },
    sandbox: { requests_per_second: 20, burst: 40 },
  },
  key: { name: 'Web shop server', environment: 'sandbox' },
  endpoint: {
    environment: 'sandbox',
    url: process.env.WEBHOOK_URL ?? 'https://shop.example/webhooks/tollgate',
    event_types: ['payment.succeeded', 'payment.failed'],
  },
};

const application = await provideApplication();
await provideLimits(application);
await provideKey(application);
await provideEndpoint(application);

async function provideApplication() {
  const { name, labels, scopes } = WANTED.application;
  const hasLabels = (found) => Object.entries(labels).every(([key, value]) => found.labels[key] === value);
  const existing = await find(
    `/applications?status=active&label=${encodeURIComponent(`project:${labels.project}`)}`,
    hasLabels,
  );
  if (existing) return report('exists', 'application', existing);
  return report(
    'created',
    'application',
    (await call('POST', '/applications', { name, labels, scopes })).body,
  );
}

async function provideLimits({ id }) {
  const { body, etag } = await call('GET', `/applications/${id}`);
  const isWanted = ['live', 'sandbox'].every((environment) =>
    Object.entries(WANTED.limits[environment]).every(
      ([field, value]) => body.limits[environment][field] === value,
    ),
  );
  if (isWanted) return report('exists', 'limits of', body);
  // The entity tag rejects the change if another caller has changed the application since it was read.
  await call('PUT', `/applications/${id}/limits`, { limits: WANTED.limits }, { 'If-Match': etag });
  return report('changed', 'limits of', body);
}

async function provideKey({ id }) {
  const { name, environment } = WANTED.key;
  const query = `environment=${environment}&status=active`;
  const existing = await find(`/applications/${id}/keys?${query}`, (key) => key.name === name);
  if (existing) return report('exists', 'API key', existing);
  return report('created', 'API key', (await call('POST', `/applications/${id}/keys`, WANTED.key)).body);
}

async function provideEndpoint({ id }) {
  const { url, environment } = WANTED.endpoint;
  const query = `application_id=${id}&environment=${environment}`;
  const existing = await find(`/webhook-endpoints?${query}`, (endpoint) => endpoint.url === url);
  if (existing) return report('exists', 'webhook endpoint', existing);
  const request = { application_id: id, ...WANTED.endpoint };
  return report('created', 'webhook endpoint', (await call('POST', '/webhook-endpoints', request)).body);
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

async function call(method, path, body, headers = {}) {
  const response = await fetch(`${ADMIN_URL}/admin/v1${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${TOKEN}`,
      ...(body && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const reply = await response.json();
  if (response.ok) return { body: reply, etag: response.headers.get('ETag') };
  console.error(`${method} ${path}: ${reply.title}. ${reply.detail} (request ${reply.request_id})`);
  process.exit(1);
}

/** The secret is in the response that creates a resource, and in no later one. */
function report(outcome, kind, resource) {
  console.log(`${outcome}: ${kind} ${resource.name ?? resource.url} (${resource.id})`);
  if (outcome === 'created' && resource.secret) console.log(`  secret: ${resource.secret}`);
  return resource;
}
