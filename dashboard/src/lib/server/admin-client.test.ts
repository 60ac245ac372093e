import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { redirect } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { HEADERS } from '@tollgate/contracts/platform/headers';
import { expect, it } from 'vitest';
import { type AdminCaller, createAdminClient } from './admin-client.ts';
import type { AdminProblem } from './admin-problem.ts';

const caller: AdminCaller = {
  sessionToken: null,
  address: '127.0.0.1',
  userAgent: null,
  trace: null,
  onSessionEnded: () => redirect(303, '/sign-in'),
  onSecondFactorDue: () => redirect(303, '/account/second-factor'),
  onFailure: () => undefined,
};

it('the admin API client reports that the gateway is unavailable when it cannot connect', async () => {
  const reported: AdminProblem[] = [];
  // Port 1 is tcpmux, which no machine runs: the connection is rejected.
  const admin = createAdminClient('http://127.0.0.1:1', {
    ...caller,
    onFailure: (problem) => reported.push(problem),
  });
  const call = admin.call(ADMIN_ROUTES.getInstallation, {});
  await expect(call).rejects.toMatchObject({ status: 503, code: 'unavailable', requestId: null });
  expect(reported).toHaveLength(1);
});

it('the admin API client sends one page request id until a call changes something, and another id after it', async () => {
  const ids: unknown[] = [];
  const gateway = createServer((request, response) => {
    ids.push(request.headers[HEADERS.pageRequest]);
    response.setHeader('content-type', 'application/json').end('{}');
  }).listen(0, '127.0.0.1');
  await once(gateway, 'listening');
  const url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
  const admin = createAdminClient(url, caller);
  await Promise.all([admin.call(ADMIN_ROUTES.getMe, {}), admin.call(ADMIN_ROUTES.getInstallation, {})]);
  await admin.call(ADMIN_ROUTES.signOut, {});
  await admin.call(ADMIN_ROUTES.getMe, {});
  await createAdminClient(url, caller).call(ADMIN_ROUTES.getMe, {});
  gateway.close();
  const [first, second, change, after, other] = ids;
  expect([second, change]).toEqual([first, first]);
  expect(new Set([first, after, other]).size).toBe(3);
  expect(first).toEqual(expect.any(String));
});
