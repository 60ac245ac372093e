import { createHash } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { createSite, siteAddresses } from '../src/docs/site.ts';
import { writeSite } from './support/site-folder.ts';
import {
  BASE_URLS,
  buildUnconnectedAdminApp,
  buildUnconnectedPublicApp,
  DOCS_BASE_URL,
} from './support/unconnected-apps.ts';

const SCRIPT = 'document.documentElement.classList.toggle("dark")';
const FILES = {
  'index.html': `<script>${SCRIPT}</script><h1>Home</h1><a href="http://localhost:8080/docs/errors">Errors</a>`,
  '404.html': '<h1>Not found</h1>',
  'guides/payments.html':
    '<script type="module" src="/docs/assets/app.1.js"></script>curl http://localhost:8081/v1',
  'guides/payments.md': '# Payments\n\nhttp://localhost:8080 http://localhost:8082/admin',
  'quickstart.md': 'curl http://localhost:8081/v1',
  'assets/app.1.js': 'start()',
  'assets/page.2.js': 'show("http://localhost:8081")',
  'llms.txt': '# Tollgate\n- http://localhost:8080/docs/guides/payments.md',
  'llms-full.txt': '# Payments',
};

const folder = writeSite(FILES);
const addresses = siteAddresses({
  docsBaseUrl: DOCS_BASE_URL,
  liveApiUrl: BASE_URLS.live,
  sandboxApiUrl: BASE_URLS.sandbox,
  adminApiUrl: 'https://admin.example.com',
});
const app = buildUnconnectedPublicApp({ site: createSite(folder, addresses) });
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

const get = (url: string, headers: Record<string, string> = {}) =>
  app.inject({ url, headers: { host: 'a', ...headers } });

test.each(['/', '/docs'])('the documentation is where %s leads', async (url) => {
  const { statusCode, headers } = await get(url);
  expect({ statusCode, location: headers.location }).toEqual({ statusCode: 302, location: '/docs/' });
});

test.each(['/', '/docs', '/docs/'])('the documentation is where %s of the admin API leads', async (url) => {
  const adminApp = buildUnconnectedAdminApp();
  onTestFinished(() => adminApp.close());
  const { statusCode, headers } = await adminApp.inject({ url, headers: { host: 'a' } });
  expect({ statusCode, location: headers.location }).toEqual({
    statusCode: 302,
    location: `${DOCS_BASE_URL}/`,
  });
});

test.each([
  ['/docs/', 'text/html; charset=utf-8', 'Home'],
  ['/docs/guides/payments', 'text/html; charset=utf-8', 'curl'],
  ['/docs/guides/payments.md', 'text/markdown; charset=utf-8', '# Payments'],
  ['/docs/assets/app.1.js', 'text/javascript; charset=utf-8', 'start()'],
  ['/llms.txt', 'text/plain; charset=utf-8', '# Tollgate'],
  ['/llms-full.txt', 'text/plain; charset=utf-8', '# Payments'],
  ['/docs/llms.txt', 'text/plain; charset=utf-8', '# Tollgate'],
])('the documentation serves %s as %s', async (url, type, text) => {
  const { statusCode, headers, body } = await get(url);
  expect(statusCode).toBe(200);
  expect(headers['content-type']).toBe(type);
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(body).toContain(text);
});

test('the documentation carries the addresses of this installation', async () => {
  expect((await get('/docs/guides/payments')).body).toContain(`curl ${BASE_URLS.sandbox}/v1`);
  expect((await get('/docs/guides/payments.md')).body).toContain(
    `${BASE_URLS.live} https://admin.example.com/admin`,
  );
  expect((await get('/docs/')).body).toContain(`href="${DOCS_BASE_URL}/errors"`);
  expect((await get('/llms.txt')).body).toContain(`${DOCS_BASE_URL}/guides/payments.md`);
});

test('the documentation keeps the default addresses in the quickstart, which explains npm start', async () => {
  expect((await get('/docs/quickstart.md')).body).toContain('http://localhost:8081');
});

test('the documentation allows only its own inline scripts, and no other site', async () => {
  const policy = String((await get('/docs/')).headers['content-security-policy']).split('; ');
  const hash = createHash('sha256').update(SCRIPT).digest('base64');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain(`script-src 'self' 'sha256-${hash}'`);
  expect(policy).toContain("style-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect((await get('/docs/guides/payments')).headers['content-security-policy']).toContain(
    "script-src 'self';",
  );
});

test('the documentation is cached for five minutes, and for a year where the name of a file contains its hash', async () => {
  expect((await get('/docs/')).headers['cache-control']).toBe('public, max-age=300');
  expect((await get('/docs/assets/app.1.js')).headers['cache-control']).toContain('immutable');
  // This installation has changed it.
  expect((await get('/docs/assets/page.2.js')).headers['cache-control']).toBe('public, max-age=300');
});

test('the documentation returns 304 for an unchanged page', async () => {
  const { etag } = (await get('/docs/')).headers;
  const repeated = await get('/docs/', { 'if-none-match': String(etag) });
  expect({ status: repeated.statusCode, body: repeated.body }).toEqual({ status: 304, body: '' });
});

test('the documentation is compressed for clients that accept it', async () => {
  const { headers, rawPayload } = await get('/docs/', { 'accept-encoding': 'br, gzip' });
  expect(headers['content-encoding']).toBe('gzip');
  expect(headers.vary).toBe('accept, accept-encoding');
  expect(gunzipSync(rawPayload).toString()).toContain('Home');
  expect(
    (await get('/docs/', { 'accept-encoding': 'gzip;q=0' })).headers['content-encoding'],
  ).toBeUndefined();
});

test('the documentation responds to HEAD without a body, and ignores a query', async () => {
  const head = await app.inject({ method: 'HEAD', url: '/docs/', headers: { host: 'a' } });
  expect({ status: head.statusCode, body: head.body }).toEqual({ status: 200, body: '' });
  expect((await get('/docs/?utm_source=mail')).statusCode).toBe(200);
});

test.each(['nonsense', '__proto__', 'constructor', 'errors/toString', 'index', '404.html'])(
  'the documentation returns 404 for /docs/%s, as a page to browsers and as a problem to programs',
  async (path) => {
    const page = await get(`/docs/${path}`, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    expect({ status: page.statusCode, body: page.body }).toEqual({ status: 404, body: FILES['404.html'] });
    const problem = await get(`/docs/${path}`);
    expect({ status: problem.statusCode, code: problem.json().code }).toEqual({
      status: 404,
      code: 'route-not-found',
    });
  },
);

test('the documentation rejects other methods', async () => {
  const response = await app.inject({
    method: 'POST',
    url: '/docs/guides/payments',
    headers: { host: 'a' },
  });
  expect({ status: response.statusCode, allow: response.headers['allow'] }).toEqual({
    status: 405,
    allow: 'GET, HEAD',
  });
});

test.each(['/docs/../v1', '/docs/%2e%2e/package.json', '/docs//', '//docs/'])(
  'the documentation is not reached by %s',
  async (url) => {
    const { statusCode, headers } = await get(url);
    expect({ statusCode, type: headers['content-type'] }).toEqual({
      statusCode: 404,
      type: 'application/problem+json',
    });
  },
);

test('the documentation returns 503 until it is built, and follows each build', async () => {
  const built = writeSite({});
  rmSync(built, { recursive: true });
  const early = buildUnconnectedPublicApp({ site: createSite(built, addresses) });
  const home = () => early.inject({ url: '/docs/', headers: { host: 'a' } });
  const missing = await home();
  expect({ status: missing.statusCode, code: missing.json().code }).toEqual({
    status: 503,
    code: 'unavailable',
  });
  for (const text of ['First', 'Second']) {
    rmSync(built, { recursive: true, force: true });
    renameSync(writeSite({ 'index.html': text }), built);
    expect((await home()).body).toBe(text);
  }
  await early.close();
  rmSync(built, { recursive: true });
});

test('the documentation serves a page after a read of its file failed', async () => {
  const built = writeSite({ 'index.html': 'Home', 'guides/payments.html': 'Payments' });
  onTestFinished(() => rmSync(built, { recursive: true }));
  const site = createSite(built, addresses);
  await site.find('');
  // A change in a subfolder is not a new build.
  const file = join(built, 'guides/payments.html');
  renameSync(file, `${file}.moved`);
  await expect(site.find('guides/payments')).rejects.toThrow('ENOENT');
  renameSync(`${file}.moved`, file);
  expect(String((await site.find('guides/payments'))?.body)).toBe('Payments');
});

test('the documentation changes addresses also in a folder below one that is named like a page', async () => {
  const parent = writeSite({ 'quickstart/assets/site/index.html': 'http://localhost:8081' });
  const site = createSite(`${parent}/quickstart/assets/site/`, addresses);
  const home = await site.find('');
  expect(String(home?.body)).toBe(BASE_URLS.sandbox);
  expect(home?.headers['cache-control']).toBe('public, max-age=300');
  rmSync(parent, { recursive: true });
});
