import { type RawResponse, sendRaw } from '@tollgate/test-kit/raw-http';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { apiClient } from '../../support/api-client.ts';
import { type DocumentedApi, documentedApiOf } from '../../support/openapi/documented-api.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestApplication } from '../../support/platform/test-application.ts';
import { report } from '../../support/report.ts';
import { malformedBody } from './malformed-body.ts';
import { malformedRequest } from './malformed-request.ts';

const REQUESTS = 20_000;
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
let application: TestApplication;
let documented: DocumentedApi;

beforeAll(async () => {
  platform = await joinSharedPlatform();
  application = await platform.createApplication(await platform.createTeam());
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

function faultsOf(request: string, response: RawResponse | null): string[] {
  if (!response) return [];
  const { status, headers, body } = response;
  const [, method = '', path = ''] = TARGET.exec(request) ?? [];
  const faults = documented.faultsOf(method, path, response);
  if (!(status >= 200 && status < 500)) faults.push(`status ${status}`);
  if (!/^req_/.test(headers['x-request-id'] ?? '')) faults.push('no request id');
  if (status >= 400 && !isProblem(headers) && !isPage(path, headers)) faults.push('no problem');
  // Docs and payments may contain any text. A request id is random and a pointer comes from the caller, so both can
  // match by chance.
  const shown = JSON.stringify(headers) + (status >= 400 ? body : '');
  const text = shown.replaceAll(/req_\w+|"pointer":"(?:[^"\\]|\\.)*"/g, '');
  if (INTERNALS.test(text) || SYSTEM_ERROR.test(text)) faults.push('internals');
  return faults;
}

it(`${REQUESTS} malformed requests cause no 5xx and no crash, and reveal no internals`, async () => {
  const request = fc.oneof(malformedRequest(application.keys.sandbox), malformedBody.map(requestWithBody));
  const queue = fc.sample(request, { numRuns: REQUESTS, seed: SEED });
  const counts: Record<string, number> = {};
  const faulty: { request: string; response: RawResponse | null; faults: string[] }[] = [];

  async function sendSome(): Promise<void> {
    for (let text = queue.pop(); text !== undefined; text = queue.pop()) {
      const head = text.startsWith('HEAD ');
      const response = await sendRaw(platform.baseUrl.sandbox, text, { timeoutMs: TIMEOUT_MS, head });
      const status = String(response?.status ?? 'none');
      counts[status] = (counts[status] ?? 0) + 1;
      const faults = faultsOf(text, response);
      if (faults.length > 0) faulty.push({ request: text.slice(0, 600), response, faults });
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, sendSome));

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
