import { redirect } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { expect, it } from 'vitest';
import { createAdminClient } from './admin-client.ts';
import type { AdminProblem } from './admin-problem.ts';

it('the admin API client reports that the gateway is unavailable when it cannot connect', async () => {
  const reported: AdminProblem[] = [];
  // Port 1 is tcpmux, which no machine runs: the connection is rejected.
  const admin = createAdminClient('http://127.0.0.1:1', {
    sessionToken: null,
    address: '127.0.0.1',
    userAgent: null,
    trace: null,
    onSessionEnded: () => redirect(303, '/sign-in'),
    onSecondFactorDue: () => redirect(303, '/account/second-factor'),
    onFailure: (problem) => reported.push(problem),
  });
  const call = admin.call(ADMIN_ROUTES.getInstallation, {});
  await expect(call).rejects.toMatchObject({ status: 503, code: 'unavailable', requestId: null });
  expect(reported).toHaveLength(1);
});
