import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type BuiltServer, type Response, startBuiltServer } from './built-server.ts';

/** Posts a form as a browser does: the theme form, which requires no session. */
function postTheme(
  server: BuiltServer,
  host: string,
  origin: string,
  more: Record<string, string> = {},
): Promise<Response> {
  return server.ask('/theme', {
    method: 'POST',
    headers: { host, origin, 'content-type': 'application/x-www-form-urlencoded', ...more },
    body: 'theme=dark&next=%2Fsign-in',
  });
}

describe('a dashboard with an admin API', () => {
  const credential = `tg_live_${'A'.repeat(16)}_${'b'.repeat(38)}`;
  const received: IncomingHttpHeaders[] = [];
  let answer: { status: number; type: string; body: object };
  let admin: Server;
  let server: BuiltServer;
  beforeAll(async () => {
    admin = createServer((request, response) => {
      received.push(request.headers);
      response.writeHead(answer.status, { 'content-type': answer.type }).end(JSON.stringify(answer.body));
    }).listen(0, '127.0.0.1');
    await once(admin, 'listening');
    const { port } = admin.address() as AddressInfo;
    server = await startBuiltServer({
      ADMIN_API_URL: `http://127.0.0.1:${port}`,
      TRUSTED_PROXIES: '127.0.0.0/8',
    });
  });
  afterAll(async () => {
    await server.stop();
    admin.close();
  });
  beforeEach(() => {
    received.length = 0;
    answer = { status: 200, type: 'application/json', body: { setup_required: false } };
  });

  const signIn = (headers: Record<string, string>) =>
    server.ask('/sign-in', { headers: { host: `localhost:${server.port}`, ...headers } });

  it('a dashboard with an admin API begins a trace with the request, passes it on to the admin API, and logs it', async () => {
    await signIn({});
    const traceparent = received[0]?.['traceparent'] as string;
    expect(traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
    await expect.poll(() => server.log.join('\n')).toContain(`"trace_id":"${traceparent.slice(3, 35)}"`);
  });

  it('a dashboard with an admin API continues the trace of a proxy', async () => {
    const trace = {
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      tracestate: 'vendor=1',
    };
    await signIn(trace);
    expect(received[0]).toMatchObject(trace);
  });

  it.each([
    ['203.0.113.9, 198.51.100.7:51008', '198.51.100.7'],
    ['[2001:DB8::7]:443', '2001:db8::7'],
    ['not-an-address', 'unknown'],
  ])(
    'a dashboard with an admin API forwards the client address of a proxy that sends %s as %s',
    async (sent, forwarded) => {
      await signIn({ 'x-forwarded-for': sent });
      expect(received[0]?.['x-forwarded-for']).toBe(forwarded);
    },
  );

  it('a dashboard with an admin API counts an address that a proxy sends and that is unreadable', async () => {
    await signIn({ 'x-forwarded-for': 'not-an-address' });
    const metrics = await (await fetch(`${server.opsUrl}/metrics`)).text();
    expect(metrics).toMatch(
      /tollgate_unreadable_client_addresses_total\{[^}]*listener="dashboard"[^}]*\} [1-9]/,
    );
  });

  it('a dashboard with an admin API logs no API key and no password, even if an error message contains them', async () => {
    const detail = `no ${credential} at mongodb://root:hunter2@db/x`;
    answer = {
      status: 500,
      type: 'application/problem+json',
      body: { status: 500, code: 'internal', detail },
    };
    expect((await signIn({})).status).toBe(500);
    await expect.poll(() => server.log.join('\n')).toContain(`no tg_live_${'A'.repeat(16)}_*** at`);
    const log = server.log.join('\n');
    expect(log).toContain('mongodb://root:***@db/x');
    for (const secret of [credential, 'hunter2']) expect(log).not.toContain(secret);
  });
});

describe('a dashboard on plain http at a loopback address', () => {
  let server: BuiltServer;
  beforeAll(async () => {
    server = await startBuiltServer();
  });
  afterAll(() => server.stop());

  it.each(['localhost', '127.0.0.1', '[::1]'])(
    'a dashboard on plain http at a loopback address accepts forms at http://%s',
    async (name) => {
      const host = `${name}:${server.port}`;
      const response = await postTheme(server, host, `http://${host}`);
      expect(response).toMatchObject({ status: 303, headers: { location: '/sign-in' } });
      const [cookie = ''] = response.headers['set-cookie'] as string[];
      expect(cookie).toMatch(/^theme=dark;/);
      expect(cookie).not.toMatch(/secure/i);
    },
  );

  it.each(['http://evil.example', 'null', 'https://localhost:3000'])(
    'a dashboard on plain http at a loopback address rejects a form from the origin %s',
    async (origin) => {
      const response = await postTheme(server, `localhost:${server.port}`, origin);
      expect(response.status).toBe(403);
      expect(response.headers['set-cookie']).toBeUndefined();
    },
  );

  it('a dashboard on plain http at a loopback address rejects a form from the https origin, whatever protocol the client claims', async () => {
    const host = `localhost:${server.port}`;
    const claims = { 'x-forwarded-proto': 'https', forwarded: 'proto=https' };
    expect((await postTheme(server, host, `https://${host}`, claims)).status).toBe(403);
    expect((await postTheme(server, host, `http://${host}`, claims)).status).toBe(303);
  });

  it('a dashboard on plain http at a loopback address rejects another host name, and names the correct address', async () => {
    const response = await server.ask('/sign-in', { headers: { host: 'rebound.example' } });
    expect(response.status).toBe(421);
    expect(response.body).toContain(`http://localhost:${server.port}`);
  });

  it('a dashboard on plain http at a loopback address ignores a forwarded host that the client claims', async () => {
    const host = `localhost:${server.port}`;
    const claims = { 'x-forwarded-host': 'evil.example', 'x-forwarded-port': '1' };
    expect((await postTheme(server, host, `http://${host}`, claims)).status).toBe(303);
    expect((await postTheme(server, host, 'http://evil.example', claims)).status).toBe(403);
  });

  it('a dashboard on plain http at a loopback address rejects a body above the limit', async () => {
    const host = `localhost:${server.port}`;
    const response = await server.ask('/theme', {
      method: 'POST',
      headers: { host, origin: `http://${host}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: `theme=dark&pad=${'x'.repeat(200_000)}`,
    });
    expect(response.status).toBe(413);
  });

  it('a dashboard on plain http at a loopback address renders the chosen theme on the server, so that the page does not flash', async () => {
    const headers = { host: `localhost:${server.port}` };
    expect((await server.ask('/nowhere', { headers: { ...headers, cookie: 'theme=dark' } })).body).toContain(
      '<html lang="en" data-locale="en-GB" data-theme="dark">',
    );
    expect((await server.ask('/nowhere', { headers })).body).toMatch(
      /<html lang="en" data-locale="en-GB"\s*>/,
    );
    const injected = await server.ask('/nowhere', { headers: { ...headers, cookie: 'theme="><script>' } });
    expect(injected.body).not.toContain('data-theme');
  });

  it('a dashboard on plain http at a loopback address names the locale of formats that the browser prefers, and nothing that the header injects', async () => {
    const localeOf = async (language: string) => {
      const headers = { host: `localhost:${server.port}`, 'accept-language': language };
      const { body } = await server.ask('/nowhere', { headers });
      return /<html lang="en" data-locale="([^"]*)"/.exec(body)?.[1];
    };
    expect(await localeOf('de-DE,en;q=0.5')).toBe('de-DE-u-ca-gregory-nu-latn');
    expect(await localeOf('"><script>')).toBe('en-GB');
  });

  it('a dashboard on plain http at a loopback address sends pages with a policy that allows only scripts with its nonce, and prevents caching', async () => {
    const response = await server.ask('/nowhere', { headers: { host: `localhost:${server.port}` } });
    const policy = String(response.headers['content-security-policy']);
    const [, nonce] = /script-src 'self' 'nonce-([^']+)'/.exec(policy) ?? [];
    expect(nonce).toBeDefined();
    const scripts = [...response.body.matchAll(/<script[^>]*>/g)].map(([tag]) => tag);
    expect(scripts.length).toBeGreaterThan(0);
    expect(scripts.filter((tag) => !tag.includes(`nonce="${nonce}"`))).toEqual([]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    expect(response.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
    });
    expect(response.headers['strict-transport-security']).toBeUndefined();
  });

  it('a dashboard on plain http at a loopback address redirects an unauthenticated visitor to the sign-in page, with the requested page as its destination', async () => {
    const response = await server.ask('/live?period=7d', {
      headers: { host: `localhost:${server.port}` },
    });
    expect(response.status).toBe(303);
    expect(response.headers.location).toBe('/sign-in?next=%2Flive%3Fperiod%3D7d');
  });

  it('a dashboard on plain http at a loopback address shows an error page with a request id and no stack trace when the admin API is unavailable', async () => {
    const response = await server.ask('/sign-in', { headers: { host: `localhost:${server.port}` } });
    expect(response.status).toBe(503);
    expect(response.body).toContain('Service unavailable');
    expect(response.body).toMatch(/req_[0-9a-z]{26}/);
    expect(response.body).not.toMatch(/ECONNREFUSED|\.js:\d+|\n\s+at /);
  });

  it('a dashboard on plain http at a loopback address omits the path from Referer on pages whose path contains a token', async () => {
    const response = await server.ask('/reset/a-token', { headers: { host: `localhost:${server.port}` } });
    // Also of the error page: no admin API runs here.
    expect(response).toMatchObject({ status: 503, headers: { 'referrer-policy': 'strict-origin' } });
  });

  it('a dashboard on plain http at a loopback address serves precompressed scripts that browsers cache permanently', async () => {
    const headers = { host: `localhost:${server.port}` };
    const page = await server.ask('/nowhere', { headers });
    const [path = ''] = /\/_app\/immutable\/entry\/start[^"]+/.exec(page.body) ?? [];
    const response = await server.ask(path, { headers: { ...headers, 'accept-encoding': 'br' } });
    expect(response).toMatchObject({
      status: 200,
      headers: { 'content-encoding': 'br', 'cache-control': 'public,max-age=31536000,immutable' },
    });
  });

  it.each(['br', 'gzip'])(
    'a dashboard on plain http at a loopback address compresses pages with %s',
    async (encoding) => {
      const headers = { host: `localhost:${server.port}`, 'accept-encoding': encoding };
      const response = await server.ask('/nowhere', { headers });
      expect(response.headers).toMatchObject({ 'content-encoding': encoding, vary: 'Accept-Encoding' });
    },
  );

  it('a dashboard on plain http at a loopback address sends pages as they are to a client that accepts no encoding', async () => {
    const response = await server.ask('/nowhere', { headers: { host: `localhost:${server.port}` } });
    expect(response.headers['content-encoding']).toBeUndefined();
    expect(response.body).toContain('</html>');
  });

  it('a dashboard on plain http at a loopback address preloads its own font, of at most 60 kB, which browsers cache permanently', async () => {
    const headers = { host: `localhost:${server.port}` };
    const page = await server.ask('/nowhere', { headers });
    const fonts = [
      ...page.body.matchAll(/<link href="([^"]+)" rel="preload" as="font" type="font\/woff2" crossorigin>/g),
    ];
    expect(fonts).toHaveLength(1);
    const font = await server.ask(new URL(fonts[0]?.[1] ?? '', 'http://page/nowhere').pathname, { headers });
    expect(font.status).toBe(200);
    expect(Number(font.headers['content-length'])).toBeLessThanOrEqual(60_000);
    expect(font.headers['cache-control']).toBe('public,max-age=31536000,immutable');
  });

  it('a dashboard on plain http at a loopback address is ready, and counts its responses', async () => {
    expect((await fetch(`${server.opsUrl}/readyz`)).status).toBe(200);
    expect((await fetch(`${server.opsUrl}/healthz`)).status).toBe(200);
    expect(await (await fetch(`${server.opsUrl}/metrics`)).text()).toMatch(
      /tollgate_dashboard_requests_total\{.*status="421"/,
    );
  });
});

describe('a dashboard behind a proxy that terminates TLS', () => {
  let server: BuiltServer;
  beforeAll(async () => {
    server = await startBuiltServer({
      DASHBOARD_URL: 'https://pay.example.com',
      TRUSTED_PROXIES: '127.0.0.0/8',
    });
  });
  afterAll(() => server.stop());

  it('a dashboard behind a proxy that terminates TLS accepts forms from the https origin, and sets Secure cookies', async () => {
    const response = await postTheme(server, 'pay.example.com', 'https://pay.example.com');
    expect(response.status).toBe(303);
    expect(String(response.headers['set-cookie'])).toMatch(/; Secure/);
    expect(String(response.headers['strict-transport-security'])).toMatch(/^max-age=\d+/);
  });

  it('a dashboard behind a proxy that terminates TLS rejects forms from the http origin, even when the client claims that protocol', async () => {
    const claims = { 'x-forwarded-proto': 'http' };
    expect((await postTheme(server, 'pay.example.com', 'http://pay.example.com', claims)).status).toBe(403);
  });

  it("a dashboard behind a proxy that terminates TLS trusts the host that a trusted proxy forwards only when it is the dashboard's own", async () => {
    const named = { 'x-forwarded-host': 'pay.example.com' };
    expect((await postTheme(server, 'inner:3000', 'https://pay.example.com', named)).status).toBe(303);
    const wrong = { 'x-forwarded-host': 'evil.example' };
    expect((await postTheme(server, 'pay.example.com', 'https://evil.example', wrong)).status).toBe(421);
  });

  it.each([
    ['compresses', 'same-origin', 'br'],
    ['compresses', 'none', 'br'],
    ['does not compress', 'cross-site', undefined],
    ['does not compress', 'same-site', undefined],
    ['does not compress', undefined, undefined],
  ])('%s a page when the browser names the origin of the request as %s', async (_, site, encoding) => {
    const response = await server.ask('/nowhere', {
      headers: {
        host: 'pay.example.com',
        'accept-encoding': 'br',
        ...(site !== undefined && { 'sec-fetch-site': site }),
      },
    });
    expect(response.headers['content-encoding']).toBe(encoding);
  });

  it('a dashboard behind a proxy that terminates TLS rejects requests that bypass the proxy', async () => {
    expect((await server.ask('/', { headers: { host: `localhost:${server.port}` } })).status).toBe(421);
  });
});

it('the dashboard process logs no path that contains a token, and exits with code 0 on SIGTERM', async () => {
  const server = await startBuiltServer();
  const token = 'a-token-that-nobody-must-read';
  await server.ask(`/reset/${token}`, { headers: { host: `localhost:${server.port}` } });
  expect(await server.stop()).toBe(0);
  expect(server.log.at(-1)).toContain('stopped');
  expect(server.log.some((line) => line.includes('/(entry)/reset/[token]'))).toBe(true);
  expect(server.log.join('\n')).not.toContain(token);
});

it('the dashboard process exits before it listens when its configuration is invalid, and says what to do', async () => {
  const start = startBuiltServer({ SESSION_COOKIE_KEYS: '' });
  await expect(start).rejects.toThrow(/ended with 1:.*SESSION_COOKIE_KEYS is missing/s);
});
