import { ADMIN_ROUTES, type AdminRouteName } from '@tollgate/contracts/admin-api/routes';
import { revokeKey } from '@tollgate/contracts/applications/rpc';
import { newId } from '@tollgate/contracts/platform/ids';
import { CURRENCY_EXPONENTS } from '@tollgate/contracts/platform/money';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChangeOptions, changedRequests } from '../../support/openapi/changed-requests.ts';
import {
  type DocumentedApi,
  type DocumentedOperation,
  type DocumentedRequest,
  documentedApiOf,
} from '../../support/openapi/documented-api.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import { report } from '../../support/report.ts';
import type { Caller, Scene } from './admin-requests/prepared-request.ts';
import { PREPARE } from './admin-requests/requests.ts';

/** The same requests in each run, so that the test fails only when something has changed. Set another seed to search further. */
const SEED = Number(process.env['FAST_CHECK_SEED'] ?? 1);
const REQUESTS_PER_OPERATION = 12;
const REQUESTS_TO_PAYMENTS = 200;

/** Codes of requests that are not as documented. */
const INVALID = new Set([
  'invalid-request',
  'malformed-request',
  'invalid-idempotency-key',
  'amount-out-of-range',
]);

const OPTIONS: ChangeOptions = {
  texts: {
    email: fc.emailAddress(),
    owner_email: fc.emailAddress(),
    currency: fc.constantFrom(...CURRENCY_EXPONENTS.keys()),
    return_url: fc.webUrl({ validSchemes: ['https'] }),
    url: fc.constant('https://127.0.0.1/hook'),
    domain: fc.domain(),
    allowed_cidrs: fc.constantFrom('192.0.2.0/24', '2001:db8::/32'),
    payment_method: fc.constantFrom('pm_hold', 'tok_1'),
  },
  bound: new Set([
    ...['current_password', 'totp', 'credential', 'passkey', 'cursor', 'outcome'],
    ...['issuer', 'client_id', 'client_secret'],
    ...['after', 'wait', 'from', 'to', 'from_number', 'to_number', 'expires_at'],
  ]),
};

let platform: SharedPlatform;
const counts = { allowed: 0, rejected: 0 };

beforeAll(async () => {
  platform = await joinSharedPlatform();
});
afterAll(async () => {
  report(
    `requests that the documents allow: ${counts.allowed}, others: ${counts.rejected}, FAST_CHECK_SEED=${SEED}`,
  );
  await platform?.leave();
});

/** Where the API and its document differ about a request. */
async function differencesOf(
  api: DocumentedApi,
  operation: DocumentedOperation,
  { url, credential, request }: { url: string; credential: string; request: DocumentedRequest },
): Promise<string[]> {
  const query = new URLSearchParams(request.query).toString();
  const response = await fetch(query === '' ? url : `${url}?${query}`, {
    method: operation.method.toUpperCase(),
    headers: {
      authorization: `Bearer ${credential}`,
      ...(request.body !== undefined && { 'content-type': 'application/json' }),
      ...request.headers,
    },
    ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
  });
  const text = await response.text();
  const faults = api.requestFaultsOf(operation, request);
  const isRejected = response.status >= 400 && INVALID.has(JSON.parse(text).code);
  counts[faults.length === 0 ? 'allowed' : 'rejected'] += 1;
  if (isRejected === faults.length > 0) return [];
  return [
    `${JSON.stringify(request)} → ${response.status} ${text.slice(0, 600)}; document: ${faults.join(', ') || 'allowed'}`,
  ];
}

async function differencesOfAll(
  api: DocumentedApi,
  operation: DocumentedOperation,
  { numRuns, base, ...target }: { numRuns: number; base: DocumentedRequest; url: string; credential: string },
): Promise<string[]> {
  const requests = fc.sample(changedRequests(api, operation, base, OPTIONS), { numRuns, seed: SEED });
  const found = await Promise.all(
    requests.map((request) => differencesOf(api, operation, { ...target, request })),
  );
  return found.flat();
}

it('the public API rejects exactly the payments that its document does not allow', async () => {
  const { keys } = await platform.createApplication(await platform.createTeam());
  const url = new URL('/v1/payments', platform.baseUrl.sandbox);
  const api = (await documentedApiOf(url)) as DocumentedApi;
  const operation = api.operations.find(
    ({ operationId }) => operationId === 'createPayment',
  ) as DocumentedOperation;
  const base = { query: {}, headers: {}, body: { amount: 1250, currency: 'EUR', payer: {} } };
  const target = { url: url.href, credential: keys.sandbox };
  expect(await differencesOfAll(api, operation, { numRuns: REQUESTS_TO_PAYMENTS, base, ...target })).toEqual(
    [],
  );
});

it('a revoked key and an unknown application return errors that the document lists', async () => {
  const team = await platform.createTeam();
  const { keyIds } = await platform.createApplication(team);
  const admin = platform.admin.as(team.owner.session);
  await team.owner.call(revokeKey, { key_id: keyIds.sandbox });
  const renamed = { key_id: keyIds.sandbox, name: 'Renamed' };
  expect((await admin.call(ADMIN_ROUTES.updateKey, renamed, { ifMatch: '*' })).status).toBe(409);
  const unknown = { application_id: newId('application') };
  expect((await admin.call(ADMIN_ROUTES.listTeamKeys, unknown)).status).toBe(404);
});

describe('the admin API rejects exactly the requests that its document does not allow', () => {
  let api: DocumentedApi;
  let scene: Scene;
  let caller: Caller;

  beforeAll(async () => {
    api = (await documentedApiOf(new URL('/admin/v1/me', platform.adminUrl))) as DocumentedApi;
    const team = await platform.createTeam();
    scene = { platform, team, application: await platform.createApplication(team) };
    caller = { team, member: team.owner };
  });

  const names = Object.keys(ADMIN_ROUTES) as AdminRouteName[];
  it.each(names.filter((name) => ADMIN_ROUTES[name].access !== 'public'))('%s', async (name) => {
    const operation = api.operations.find(({ operationId }) => operationId === name) as DocumentedOperation;
    const { request, session } = await PREPARE[name](scene, { environment: 'sandbox', caller });
    const { path, base } = baseOf(operation, request);
    const target = {
      url: new URL(path, platform.adminUrl).href,
      credential: session ?? caller.member.session,
    };
    expect(
      await differencesOfAll(api, operation, { numRuns: REQUESTS_PER_OPERATION, base, ...target }),
    ).toEqual([]);
  });
});

/** The parts of a request that the matrix of callers sends. */
function baseOf(operation: DocumentedOperation, request: object): { path: string; base: DocumentedRequest } {
  const fields = new Map<string, unknown>(Object.entries(request));
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(fields.get(name));
    fields.delete(name);
    return encodeURIComponent(value);
  });
  const needsVersion = operation.parameters.some(({ name, required }) => name === 'If-Match' && required);
  const headers = needsVersion ? { 'If-Match': '*' } : {};
  if (operation.method !== 'get')
    return {
      path,
      base: { query: {}, headers, ...(operation.requestBody && { body: Object.fromEntries(fields) }) },
    };
  return {
    path,
    base: { query: Object.fromEntries([...fields].map(([name, value]) => [name, String(value)])), headers },
  };
}
