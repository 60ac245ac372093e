import { createInvitation, createToken, renameTeam, updateProfile } from '@tollgate/contracts/accounts/rpc';
import {
  createApplication,
  createKey,
  renameApplication,
  rotateKey,
  setLabels,
} from '@tollgate/contracts/applications/rpc';
import { SCOPE_NAMES } from '@tollgate/contracts/applications/scopes';
import { logIn } from '../platform/program-login.ts';
import type { SharedPlatform } from '../platform/shared-platform.ts';
import { storeComparison, storeDifference } from '../platform/stored-differences.ts';
import type { TestApplication } from '../platform/test-application.ts';
import type { TestMember, TestTeam } from '../platform/test-team.ts';
import { apiCaller } from './api-requests.ts';
import { type FullAudit, fillAudit } from './full-audit.ts';
import { type FullDeliveries, fillDeliveries } from './full-deliveries.ts';
import { type FullWebhooks, fillWebhooks } from './full-webhooks.ts';

/** A team in which everything is as long, as large and as much as it may be. */
export interface FullTeam extends FullWebhooks, FullDeliveries, FullAudit {
  id: string;
  owner: TestMember;
  /** A developer, for pages about someone else. */
  developer: TestMember;
  application: TestApplication;
  /** A sandbox key of the application: rotated, with many networks and an expiry. */
  rotatedKeyId: string;
  /** A token with many networks and an expiry. */
  apiTokenId: string;
  /** In the sandbox, waiting for an outcome. */
  pendingPaymentId: string;
  failedPaymentId: string;
  /** In live, waiting for a member. */
  livePaymentId: string;
}

/** As long as names may be, without a space to break at. */
const LONG_NAME = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
const LONG_LABELS = Object.fromEntries(
  Array.from({ length: 20 }, (_, index) => [`label-${index}-${'k'.repeat(30)}`, 'v'.repeat(5 * index + 5)]),
);
const MANY_CIDRS = Array.from({ length: 20 }, (_, index) => `2001:db8:1234:5678::${index}/128`);
const MAX_AMOUNT = 999_999_999_999;
const ROWS = 30;
const STATES = ['pm_hold', 'pm_decline', 'pm_insufficient_funds', 'pm_slow', 'pm_succeed'];
const REPORTED = ['succeeded', 'processing', 'action_required', null] as const;
const CURRENCIES = ['EUR', 'USD', 'JPY', 'KWD'];

export async function fillTeam(platform: SharedPlatform, team: TestTeam): Promise<FullTeam> {
  const { call } = team.owner;
  const application = await platform.createApplication(team);
  const application_id = application.id;
  const [developer] = await Promise.all([
    team.createMember('developer'),
    call(renameTeam, { team_id: team.id, name: LONG_NAME }),
    call(updateProfile, { name: LONG_NAME }),
    call(renameApplication, { application_id, name: LONG_NAME }),
    call(setLabels, { application_id, labels: LONG_LABELS }),
    call(createInvitation, { email: `${'invited'.repeat(9)}@${'example'.repeat(8)}.com`, role: 'developer' }),
  ]);
  await Promise.all(
    Array.from({ length: ROWS }, (_, index) =>
      call(createApplication, { name: `${LONG_NAME.slice(0, 70)} ${index}`, scopes: SCOPE_NAMES }),
    ),
  );
  const key = await call(createKey, {
    application_id,
    environment: 'sandbox',
    name: LONG_NAME,
    scopes: ['payment:read'],
    expires_at: '2030-01-01T00:00:00.000Z',
    allowed_cidrs: MANY_CIDRS,
  });
  await call(rotateKey, { key_id: key.id, overlap_s: 3600 });
  const token = await call(createToken, {
    name: LONG_NAME,
    role: 'admin',
    environments: ['sandbox'],
    expires_at: '2030-01-01T00:00:00.000Z',
    allowed_cidrs: MANY_CIDRS,
  });

  await logIn(platform, team.owner, { role: 'admin', name: LONG_NAME });

  // Before the payments, so that it is told of them.
  const webhooks = await fillWebhooks(call, application_id);
  const api = {
    live: apiCaller(platform.baseUrl.live, application.keys.live),
    sandbox: apiCaller(platform.baseUrl.sandbox, application.keys.sandbox),
  };
  let ids: string[] = [];
  const deliveries = await fillDeliveries(call, application_id, async () => {
    ids = await Promise.all(
      Array.from({ length: ROWS }, (_, index) => api.sandbox.createPayment(longPayment(index))),
    );
  });
  await storeComparison(platform, { teamId: team.id, payments: 1_203 });
  for (const [index, paymentId] of ids.entries()) {
    const error = index % 5 === 0 ? 'The adapter responded with 500.' : null;
    const found = {
      teamId: team.id,
      applicationId: application_id,
      environment: 'sandbox',
      paymentId,
    } as const;
    await storeDifference(platform, {
      ...found,
      amount: MAX_AMOUNT,
      reported: REPORTED[index % 4] ?? null,
      error,
    });
  }
  return {
    id: team.id,
    owner: team.owner,
    developer,
    application,
    rotatedKeyId: key.id,
    apiTokenId: token.id,
    pendingPaymentId: ids[0] as string,
    failedPaymentId: ids[1] as string,
    livePaymentId: await api.live.createPayment(longPayment(0)),
    ...webhooks,
    ...deliveries,
    ...(await fillAudit(call, application_id)),
  };
}

function longPayment(index: number) {
  const name = `${LONG_NAME}, ${index}`;
  return {
    amount: MAX_AMOUNT - index,
    currency: CURRENCIES[index % CURRENCIES.length],
    purpose: 'A purpose of many words '.repeat(10).trim(),
    reference: `order-${index}-${'x'.repeat(240)}`,
    payer: { name, account: 'X'.repeat(64), email: `${'payer'.repeat(12)}@${'example'.repeat(8)}.com` },
    payee: { name, account: null, email: null },
    payment_method: STATES[index % STATES.length],
    metadata: Object.fromEntries(
      Array.from({ length: 10 }, (_, key) => [`key_${key}`, 'value'.repeat(key * 10 + 1)]),
    ),
  };
}
