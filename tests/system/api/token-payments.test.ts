import { randomUUID } from 'node:crypto';
import { createToken } from '@tollgate/contracts/accounts/rpc';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { WebhookBody } from '@tollgate/contracts/payments/event-types';
import type { PaymentEventType } from '@tollgate/contracts/payments/events';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { shownOnce } from '@tollgate/contracts/platform/shown-once';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiClient } from '../../support/api-client.ts';
import type { AdminCaller } from '../../support/platform/admin-client.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestApplication } from '../../support/platform/test-application.ts';
import type { TestTeam } from '../../support/platform/test-team.ts';

const FAILURE = { code: 'card_stolen', message: 'Reported stolen.' };

interface Decision {
  route: 'settlePayment' | 'simulatePayment';
  outcome: { status: 'succeeded' } | { status: 'failed'; failure: typeof FAILURE } | { status: 'expired' };
  /** The events that the decision causes. */
  types: PaymentEventType[];
}

const SUCCEEDED: Omit<Decision, 'route'> = {
  outcome: { status: 'succeeded' },
  types: ['payment.processing', 'payment.succeeded'],
};
const FAILED: Omit<Decision, 'route'> = {
  outcome: { status: 'failed', failure: FAILURE },
  types: ['payment.processing', 'payment.failed'],
};

const DECISIONS: Decision[] = [
  { route: 'simulatePayment', ...SUCCEEDED },
  { route: 'simulatePayment', ...FAILED },
  { route: 'simulatePayment', outcome: { status: 'expired' }, types: ['payment.canceled'] },
  { route: 'settlePayment', ...SUCCEEDED },
  { route: 'settlePayment', ...FAILED },
];

const ACTIONS = { simulatePayment: 'payment.simulated', settlePayment: 'payment.settled' } as const;

let platform: SharedPlatform;
let team: TestTeam;
let application: TestApplication;
let owner: AdminCaller;
let token: { id: string; caller: AdminCaller };

beforeAll(async () => {
  platform = await joinSharedPlatform();
  team = await platform.createTeam();
  application = await platform.createApplication(team);
  owner = platform.admin.as(team.owner.session);
  const { id, secret } = await team.owner.call(createToken, { name: 'Back office', role: 'admin' });
  token = { id, caller: platform.admin.as(shownOnce(secret)) };
});
afterAll(() => platform?.leave());

const environmentOf = ({ route }: Decision): Environment => (route === 'settlePayment' ? 'live' : 'sandbox');

/** Creates a payment that stays pending until the caller decides its outcome. */
async function decide(decision: Decision, caller: AdminCaller) {
  const environment = environmentOf(decision);
  const api = apiClient(platform.baseUrl[environment], application.keys[environment]);
  const request = { amount: 100, currency: 'EUR', payment_method: 'pm_hold' };
  const { body: created } = await api.create(request, randomUUID());
  const { headers } = await caller.call(ADMIN_ROUTES[decision.route], {
    payment_id: created.id,
    outcome: decision.outcome as never,
  });
  const { body: payment } = await api.read(created.id);
  return { payment, requestId: headers.get('x-request-id') as string };
}

async function recordOf(requestId: string) {
  const list = async () => (await owner.call(ADMIN_ROUTES.listRecords, { search: requestId })).body.data;
  await eventually('the decision is recorded', async () => (await list()).length > 0, { timeoutMs: 20_000 });
  return list();
}

/** What endpoints receive about the payment, in order of its versions. */
async function webhooksOf(paymentId: string, count: number): Promise<WebhookBody[]> {
  const list = async () => (await owner.call(ADMIN_ROUTES.listEvents, { payment_id: paymentId })).body.data;
  await eventually('every event is stored', async () => (await list()).length >= count);
  const events = (await list()).map(({ id }) => owner.call(ADMIN_ROUTES.getEvent, { event_id: id }));
  return (await Promise.all(events))
    .map(({ body }) => JSON.parse(body.body) as WebhookBody)
    .toSorted((one, other) => one.data.version - other.data.version);
}

describe.each(DECISIONS)('$route by an API token, as $outcome.status', (decision) => {
  it('a decision by an API token names the token in the timeline of the payment and in the audit log', async () => {
    const { payment, requestId } = await decide(decision, token.caller);
    const { data } = (await owner.call(ADMIN_ROUTES.getTimeline, { payment_id: payment.id })).body;
    const cause = { type: 'token', id: token.id, address: expect.stringContaining('127.0.0.1') };
    expect(data.slice(1)).toEqual(
      decision.types.map((type) => expect.objectContaining({ type, cause, request_id: requestId })),
    );

    const records = await recordOf(requestId);
    expect(records).toEqual([
      expect.objectContaining({
        action: ACTIONS[decision.route],
        actor: { type: 'token', id: token.id, name: null, session_id: null },
        environment: environmentOf(decision),
        target: { type: 'payment', id: payment.id, name: null },
      }),
    ]);
    const ofToken = await owner.call(ADMIN_ROUTES.listRecords, { actor_type: 'token', actor_id: token.id });
    expect(ofToken.body.data.map(({ id }) => id)).toContain(records[0]?.id);
  });

  it('a decision by an API token causes the same webhooks as a decision of a member, without the token', async () => {
    const types = ['payment.created', ...decision.types];
    for (const caller of [owner, token.caller]) {
      const { payment } = await decide(decision, caller);
      const webhooks = await webhooksOf(payment.id, types.length);
      expect(webhooks.map(({ type }) => type)).toEqual(types);
      expect(webhooks.at(-1)?.data).toEqual({ ...payment, application_id: application.id });
      expect(JSON.stringify(webhooks)).not.toContain(token.id);
    }
  });
});

it('a decision of an API token can be repeated, and conflicts with another outcome', async () => {
  const decision: Decision = { route: 'settlePayment', ...SUCCEEDED };
  const { payment } = await decide(decision, token.caller);
  const settle = (outcome: object) =>
    token.caller.call(ADMIN_ROUTES.settlePayment, { payment_id: payment.id, outcome: outcome as never });
  expect((await settle(SUCCEEDED.outcome)).body.version).toBe(payment.version);
  expect((await settle(FAILED.outcome)).problem?.code).toBe('conflict');
});
