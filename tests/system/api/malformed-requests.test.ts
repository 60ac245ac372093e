import { SANDBOX_PAGE_PATH } from '@tollgate/contracts/payments/sandbox-payment-methods';
import { type RawResponse, sendRaw } from '@tollgate/test-kit/raw-http';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiClient } from '../../support/api-client.ts';
import { type DocumentedApi, documentedApiOf } from '../../support/openapi/documented-api.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestApplication } from '../../support/platform/test-application.ts';
import type { TestMember } from '../../support/platform/test-team.ts';
import { report } from '../../support/report.ts';
import { malformedBody } from './malformed-body.ts';
import { type Draft, draft, malformedRequest, publicDrafts } from './malformed-request.ts';

const REQUESTS = 20_000;
/** To each of the other listeners. Set MALFORMED_REQUESTS for more. */
const REQUESTS_TO_OTHERS = Number(process.env['MALFORMED_REQUESTS'] ?? 1_000);
/** The same requests in each run, so that the test fails only when something has changed. Set another seed to search further. */
const SEED = Number(process.env['FAST_CHECK_SEED'] ?? 1);
const CONCURRENCY = 50;
/** The gateway waits for the rest of a request that looks incomplete. The test waits no longer than this. */
const TIMEOUT_MS = 500;

/** Text that reveals internals: code, files, products, drivers, hosts, errors of Node and of libraries, keys. */
const INTERNALS =
  /node_modules|\bat .+:\d+:\d+|\.ts\b|file:\/\/|127\.0\.0\.1|mongo|nats|fastify|undici|x-powered-by|stack|tg_(live|sandbox)_/i;
/** Method and path of a request line without other faults. */
const TARGET = /^([A-Z]+) (\/[^\s?]*)\S* HTTP\/1\.[01]\r?\n/;
const SYSTEM_ERROR = /\bE[A-Z]{4,}\b|UND_ERR|FST_ERR|HPE_|ERR_[A-Z]|[a-z]Error\b/;

let platform: SharedPlatform;
let owner: TestMember;
let application: TestApplication;
let documented: DocumentedApi;

beforeAll(async () => {
  platform = await joinSharedPlatform();
  const team = await platform.createTeam();
  owner = team.owner;
  application = await platform.createApplication(team);
  documented = (await documentedApiOf(new URL('/v1/payments', platform.baseUrl.sandbox))) as DocumentedApi;
});
afterAll(() => platform?.leave());

/** Nothing restarts a process of the shared platform, so one that has crashed is gone. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A well-formed request with a malformed body, as text with one character per byte. */
function requestWithBody(body: Uint8Array): string {
  const head = [
    'POST /v1/payments HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${application.keys.sandbox}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${Buffer.from(body).toString('latin1')}`;
}

function isProblem(headers: RawResponse['headers']): boolean {
  return headers['content-type'] === 'application/problem+json';
}

/** A browser that asks for an unknown page of the documentation gets a page. */
function isPage(path: string, headers: RawResponse['headers']): boolean {
  return path.startsWith('/docs/') && headers['content-type'] === 'text/html; charset=utf-8';
}

/** RFC 9112 §6.1: 501 is for a transfer coding that the server does not know. */
function isExpected(status: number): boolean {
  return (status >= 200 && status < 500) || status === 501;
}

function faultsOf(request: string, response: RawResponse | null): string[] {
  if (!response) return [];
  const { status, headers, body } = response;
  const [, method = '', path = ''] = TARGET.exec(request) ?? [];
  const faults = documented.faultsOf(method, path, response);
  if (!isExpected(status)) faults.push(`status ${status}`);
  if (!/^req_/.test(headers['x-request-id'] ?? '')) faults.push('no request id');
  if (status >= 400 && !isProblem(headers) && !isPage(path, headers)) faults.push('no problem');
  // Docs and payments may contain any text. A request id is random and a pointer comes from the caller, so both can
  // match by chance.
  const shown = JSON.stringify(headers) + (status >= 400 ? body : '');
  const text = shown.replaceAll(/req_\w+|"pointer":"(?:[^"\\]|\\.)*"/g, '');
  if (INTERNALS.test(text) || SYSTEM_ERROR.test(text)) faults.push('internals');
  return faults;
}

type FaultsOf = (request: string, response: RawResponse | null) => string[];

const sampleOf = (request: fc.Arbitrary<string>, numRuns: number) =>
  fc.sample(request, { numRuns, seed: SEED });

/** Sends the requests, some at a time. */
async function sendAll(url: string, queue: string[], faultsIn: FaultsOf) {
  const counts: Record<string, number> = {};
  const faulty: { request: string; response: RawResponse | null; faults: string[] }[] = [];

  async function sendSome(): Promise<void> {
    for (let text = queue.pop(); text !== undefined; text = queue.pop()) {
      const head = text.startsWith('HEAD ');
      const response = await sendRaw(url, text, { timeoutMs: TIMEOUT_MS, head });
      const status = String(response?.status ?? 'none');
      counts[status] = (counts[status] ?? 0) + 1;
      const faults = faultsIn(text, response);
      if (faults.length > 0) faulty.push({ request: text.slice(0, 600), response, faults });
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, sendSome));
  return { counts, faulty };
}

/** A listener without a document of its responses: no 5xx except 501, and every error is a problem, or a page or text for a person. */
function plainFaultsOf(_request: string, response: RawResponse | null): string[] {
  if (!response) return [];
  const { status, headers, body } = response;
  // The last is what SvelteKit sends to the script of a form.
  const isReply =
    isProblem(headers) || headers['content-type']?.startsWith('text/') || body.startsWith('{"type":"error"');
  return [
    ...(isExpected(status) ? [] : [`status ${status}`]),
    ...(status < 400 || isReply ? [] : ['no problem']),
  ];
}

it(`${REQUESTS} malformed requests cause no 5xx except 501, and no crash, and reveal no internals`, async () => {
  const request = fc.oneof(
    malformedRequest(publicDrafts(application.keys.sandbox)),
    malformedBody.map(requestWithBody),
  );
  const { counts, faulty } = await sendAll(platform.baseUrl.sandbox, sampleOf(request, REQUESTS), faultsOf);

  report(`responses by status ${JSON.stringify(counts)}, FAST_CHECK_SEED=${SEED}`);
  expect(faulty.slice(0, 3)).toEqual([]);
  // The generators must keep reaching every layer: the parser, the gateway's rules, and payments behind them.
  for (const status of ['200', '201', '400', '401', '404', '405', '415', '422']) {
    expect(counts[status] ?? 0, `responds with ${status}`).toBeGreaterThan(REQUESTS / 1_000);
  }
  expect(
    platform.pids.filter((pid) => !isRunning(pid)),
    'ended processes',
  ).toEqual([]);
  const api = apiClient(platform.baseUrl.sandbox, application.keys.sandbox);
  expect((await api.create()).status).toBe(201);
}, 240_000);

describe(`${REQUESTS_TO_OTHERS} malformed requests to each other listener`, () => {
  const cases: [string, () => { url: string; drafts: Draft[] }][] = [
    ['the admin API', () => ({ url: platform.adminUrl, drafts: adminDrafts(owner.session) })],
    [
      'the page of the sandbox processor',
      () => ({ url: platform.baseUrl.sandbox, drafts: sandboxPageDrafts() }),
    ],
    ['the dashboard', () => ({ url: platform.dashboardUrl, drafts: dashboardDrafts(platform.dashboardUrl) })],
  ];
  it.each(cases)(
    '%s responds with no 5xx except 501, and every error is a problem or a page',
    async (name, listener) => {
      const { url, drafts } = listener();
      const queue = sampleOf(malformedRequest(drafts), REQUESTS_TO_OTHERS);
      const { counts, faulty } = await sendAll(url, queue, plainFaultsOf);
      report(`${name}: responses by status ${JSON.stringify(counts)}, FAST_CHECK_SEED=${SEED}`);
      expect(faulty.slice(0, 3)).toEqual([]);
      expect(counts['400'] ?? 0).toBeGreaterThan(0);
    },
    240_000,
  );
});

const adminDrafts = (credential: string) => [
  draft('GET', '/admin/v1/payments?environment=sandbox', { credential }),
  draft('POST', '/admin/v1/applications', { credential, body: '{"name":"Shop"}' }),
  draft('POST', '/admin/v1/sessions', { body: '{"email":"ada@example.com","password":"wrong"}' }),
];

function sandboxPageDrafts(): Draft[] {
  const path = SANDBOX_PAGE_PATH.replace(':token', 'a'.repeat(40));
  const form = { body: 'action=pay', type: 'application/x-www-form-urlencoded' };
  return [draft('GET', path, {}), draft('POST', path, form)];
}

function dashboardDrafts(url: string): Draft[] {
  const { host } = new URL(url);
  const form = { host, body: 'email=a&password=b', type: 'application/x-www-form-urlencoded' };
  return [
    draft('GET', '/sign-in', { host }),
    draft('GET', '/sandbox/payments', { host }),
    draft('POST', '/sign-in', form),
  ];
}
