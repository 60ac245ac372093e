import { afterAWhile } from '@tollgate/bus/test/member';
import type { Principal } from '@tollgate/contracts/applications/principal';
import type { ApprovalThreshold } from '@tollgate/contracts/payments/settlement-approval';
import { APPROVAL_LIMITS } from '@tollgate/contracts/payments/settlement-approval';
import { newId } from '@tollgate/contracts/platform/ids';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PaymentsApp } from '../src/app.ts';
import type { ApprovalDocument } from '../src/approval/approval-request.ts';
import { setApprovalPolicy } from '../src/approval/set-approval-policy.ts';
import type { SettlementOutcome } from '../src/lifecycle/payment.ts';
import { LEASE_MS } from '../src/processing/claim.ts';
import { approveSettlement, decide, rejectSettlement } from '../src/settlement/decide-approval.ts';
import { settlePayment } from '../src/settlement/settle-payment.ts';
import {
  anActor,
  aPrincipal,
  type PaymentsUnderTest,
  START_TIMEOUT_MS,
  startPaymentsUnderTest,
} from './payments-under-test.ts';

let payments: PaymentsUnderTest;
beforeAll(async () => {
  payments = await startPaymentsUnderTest();
}, START_TIMEOUT_MS);
afterAll(() => payments.stop());

const succeeded: SettlementOutcome = { status: 'succeeded' };
const failed: SettlementOutcome = {
  status: 'failed',
  failure: { code: 'rejected_by_bank', message: 'The bank rejected.' },
};
/** Without the text of the member. */
const FORGOTTEN = { status: 'failed', failure: { code: 'rejected_by_bank', message: '' } };
const ABOVE_9_EUR = [{ currency: 'EUR', amount: 900 }];
const rejection = (code: string) => ({ details: expect.objectContaining({ code }) });

type Member = ReturnType<typeof anActor>;

/** A live payment of 10.00 EUR of a team whose policy requires an approval above 9.00 EUR, and two of its admins. */
async function aGuardedPayment(thresholds: ApprovalThreshold[] = ABOVE_9_EUR) {
  const principal = aPrincipal({ environment: 'live' });
  const [ada, grace] = [anActor(principal, 'admin'), anActor(principal, 'admin')];
  await setPolicy(ada, thresholds);
  const { id } = await payments.create(principal);
  return { principal, id, ada, grace };
}

function deps(app = payments.app) {
  const { audit, clock } = payments;
  return { ...app, audit, clock };
}

function setPolicy(actor: Member, thresholds: ApprovalThreshold[], ifVersion?: number) {
  return setApprovalPolicy(deps(), actor, { thresholds, ...(ifVersion && { if_version: ifVersion }) });
}

function settle(actor: Parameters<typeof settlePayment>[1], paymentId: string, outcome = succeeded) {
  return settlePayment(deps(), actor, { payment_id: paymentId, outcome }, null);
}

async function request(actor: Member, paymentId: string, outcome = succeeded): Promise<string> {
  const { approval_request } = await settle(actor, paymentId, outcome);
  if (!approval_request) return expect.unreachable('the payment was settled');
  return approval_request.id;
}

function approve(actor: Member, approvalRequestId: string, app = payments.app) {
  return approveSettlement(deps(app), actor, { approval_request_id: approvalRequestId }, null);
}

function reject(actor: Member, approvalRequestId: string) {
  return rejectSettlement(deps(), actor, { approval_request_id: approvalRequestId });
}

const crash = async () => {
  throw new Error('the process ends');
};

/** Approves at an instance that ends at a step. */
async function approveAndCrash(actor: Member, requestId: string, endAt: (app: PaymentsApp) => void) {
  const crashed = await payments.anotherInstance();
  endAt(crashed.app);
  await expect(approve(actor, requestId, crashed.app)).rejects.toThrow('the process ends');
  await crashed.app.outbox.drain();
  await crashed.stop();
}

const requests = () => payments.connection.collection<ApprovalDocument>('approval_requests');
const storedRequest = (paymentId: string) => requests().findOne({ payment_id: paymentId });

const statusOf = async (principal: Principal, id: string) => (await payments.read(principal, id)).status;

interface Audited {
  outbox: { action: string; actor: { type: string; id: string | null } }[];
}

/** Actions and actors of the audit entries of a payment's requests, oldest first. */
async function auditedSteps(paymentId: string) {
  const requests = payments.connection.collection<Audited & { payment_id: string }>('approval_requests');
  const found = await requests.find({ payment_id: paymentId }, { sort: { _id: 1 } }).toArray();
  return found.flatMap(({ outbox }) => outbox.map(({ action, actor }) => [action, actor.id]));
}

test('a settlement above the amount of the policy becomes a request, and settles the payment once another member approves it', async () => {
  const { principal, id, ada, grace } = await aGuardedPayment();
  const requested = await settle(ada, id, failed);
  expect(requested).toMatchObject({
    status: 'pending',
    approval_request: {
      payment_id: id,
      status: 'open',
      amount: 1_000,
      currency: 'EUR',
      outcome: failed,
      requested_by: { id: ada.member_id, name: 'Ada' },
      decided_by: null,
    },
  });
  expect(await statusOf(principal, id)).toBe('pending');

  const approved = await approve(grace, requested.approval_request?.id ?? '');
  expect(approved).toMatchObject({ status: 'approved', decided_by: { id: grace.member_id } });
  expect(await payments.read(principal, id)).toMatchObject({ status: 'failed', failure: failed.failure });
  expect((await payments.stored(principal, id)).history.at(-1)?.cause).toMatchObject({
    type: 'member',
    id: grace.member_id,
  });
  expect(await auditedSteps(id)).toEqual([
    ['payment.settlement_requested', ada.member_id],
    ['payment.settlement_approved', grace.member_id],
  ]);
});

test('a settlement above the amount of the policy is neither requested nor approved without a recent authentication', async () => {
  const { principal, id, ada, grace } = await aGuardedPayment();
  const earlier = (actor: Member) => afterAWhile(actor, payments.clock.now());
  const isRequired = rejection('reauthentication-required');
  await expect(settle(earlier(ada), id)).rejects.toMatchObject(isRequired);
  expect(await auditedSteps(id)).toEqual([]);
  const requestId = await request(ada, id);
  await expect(approve(earlier(grace), requestId)).rejects.toMatchObject(isRequired);
  expect(await statusOf(principal, id)).toBe('pending');
  await reject(earlier(grace), requestId);
});

test('a settlement above the amount of the policy is not approved by the requester, in any number of attempts', async () => {
  const { principal, id, ada } = await aGuardedPayment();
  const requestId = await request(ada, id);
  await expect(approve(ada, requestId)).rejects.toMatchObject(rejection('forbidden'));
  const owner = { ...ada, role: 'owner' as const, session_id: newId('session') };
  await expect(approve(owner, requestId)).rejects.toMatchObject(rejection('forbidden'));
  expect((await settle(ada, id)).approval_request?.id).toBe(requestId);
  expect(await statusOf(principal, id)).toBe('pending');
});

test('a settlement above the amount of the policy is not approved by the requester in the database either, where approvals are decided', async () => {
  const { id, ada } = await aGuardedPayment();
  const { approvals } = payments.app;
  const stored = await approvals.find(ada.team_id, await request(ada, id));
  if (!stored) return expect.unreachable('the request is stored');
  await expect(decide(deps(), stored, ada, { status: 'approved' })).rejects.toMatchObject(
    rejection('conflict'),
  );
  expect((await approvals.find(ada.team_id, stored._id))?.status).toBe('open');
});

test('a settlement above the amount of the policy settles once when members approve at the same time at several instances', async () => {
  const another = await payments.anotherInstance();
  for (let round = 0; round < 5; round += 1) {
    const { principal, id, ada, grace } = await aGuardedPayment();
    const edsger = anActor(principal, 'owner');
    const requestId = await request(ada, id);
    const results = await Promise.allSettled([
      approve(grace, requestId),
      approve(edsger, requestId, another.app),
      reject(anActor(principal, 'admin'), requestId),
    ]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const { history, status } = await payments.stored(principal, id);
    expect([status, history.length]).toEqual(
      results[2]?.status === 'fulfilled' ? ['pending', 1] : ['succeeded', 3],
    );
    expect(await auditedSteps(id)).toHaveLength(2);
  }
  await another.app.outbox.drain();
  await another.stop();
});

test('a settlement above the amount of the policy is rejected for an API token, which its creator could use as a second member', async () => {
  const { principal, id, ada } = await aGuardedPayment();
  const { member_id: _, session_id: __, ...shared } = ada;
  const token = {
    ...shared,
    type: 'token' as const,
    token_id: newId('apiToken'),
    role: 'admin' as const,
    environments: null,
  };
  await expect(settle(token, id)).rejects.toMatchObject(rejection('forbidden'));
  expect(await statusOf(principal, id)).toBe('pending');
  expect(await auditedSteps(id)).toEqual([]);
});

test('a settlement above the amount of the policy is not approved by a developer, nor by a member of another team', async () => {
  const { principal, id, ada } = await aGuardedPayment();
  const requestId = await request(ada, id);
  for (const decide of [approve, reject]) {
    await expect(decide(anActor(principal, 'developer'), requestId)).rejects.toMatchObject(
      rejection('forbidden'),
    );
    await expect(decide(anActor(aPrincipal(), 'owner'), requestId)).rejects.toMatchObject(
      rejection('not-found'),
    );
  }
  expect(await statusOf(principal, id)).toBe('pending');
});

test('a settlement above the amount of the policy has one open request, whatever several members request at the same time', async () => {
  const { id, ada, grace } = await aGuardedPayment();
  const results = await Promise.allSettled([
    settle(ada, id),
    settle(grace, id, failed),
    settle(ada, id),
    settle(grace, id),
  ]);
  const requests = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  expect(new Set(requests.map(({ approval_request }) => approval_request?.id)).size).toBe(1);
  expect(await auditedSteps(id)).toHaveLength(1);
});

test('a settlement above the amount of the policy cannot be approved after a rejection or a withdrawal, and can be requested again', async () => {
  const { principal, id, ada, grace } = await aGuardedPayment();
  const rejectedId = await request(ada, id);
  expect(await reject(grace, rejectedId)).toMatchObject({ status: 'rejected' });
  await expect(approve(grace, rejectedId)).rejects.toMatchObject(rejection('conflict'));
  const withdrawnId = await request(ada, id);
  expect(await reject(ada, withdrawnId)).toMatchObject({ decided_by: { id: ada.member_id } });
  await expect(approve(grace, withdrawnId)).rejects.toMatchObject(rejection('conflict'));
  expect(await statusOf(principal, id)).toBe('pending');

  await approve(grace, await request(ada, id));
  expect(await statusOf(principal, id)).toBe('succeeded');
});

test('a settlement above the amount of the policy expires, which is audited, and can then be requested again', async () => {
  const { principal, id, ada, grace } = await aGuardedPayment();
  const expiredId = await request(ada, id);
  payments.clock.advance(APPROVAL_LIMITS.requestExpiresAfterMs);
  await expect(approve(grace, expiredId)).rejects.toMatchObject(rejection('conflict'));
  await Promise.all([
    payments.app.tasks.expireApprovalRequests(),
    payments.app.tasks.expireApprovalRequests(),
  ]);
  expect(await auditedSteps(id)).toEqual([
    ['payment.settlement_requested', ada.member_id],
    ['payment.settlement_request_expired', null],
  ]);
  await expect(approve(grace, expiredId)).rejects.toMatchObject(rejection('conflict'));
  await approve(ada, await request(grace, id));
  expect(await statusOf(principal, id)).toBe('succeeded');
});

test('a settlement above the amount of the policy is continued by the approver after a crash between the approval and the settlement', async () => {
  const { principal, id, ada, grace } = await aGuardedPayment();
  const requestId = await request(ada, id);
  const crashed = await payments.anotherInstance();
  crashed.app.store.transition = async () => {
    throw new Error('the process ends');
  };
  await expect(approve(grace, requestId, crashed.app)).rejects.toThrow('the process ends');
  await crashed.stop();
  expect(await statusOf(principal, id)).toBe('pending');
  await expect(approve(ada, requestId)).rejects.toMatchObject(rejection('forbidden'));

  await approve(grace, requestId);
  await approve(grace, requestId);
  expect((await payments.stored(principal, id)).history).toHaveLength(3);
  expect(await auditedSteps(id)).toHaveLength(2);
});

test('a settlement above the amount of the policy is completed once by any instance after a crash between the approval and the settlement', async () => {
  const { principal, id, ada, grace } = await aGuardedPayment();
  const requestId = await request(ada, id, failed);
  const another = await payments.anotherInstance();
  await approveAndCrash(grace, requestId, (app) => {
    app.store.transition = crash;
  });
  expect(await statusOf(principal, id)).toBe('pending');

  payments.clock.advance(LEASE_MS);
  await Promise.all([payments.app.tasks.finishApprovals(), another.app.tasks.finishApprovals()]);

  expect(await payments.read(principal, id)).toMatchObject({ status: 'failed', failure: failed.failure });
  const { history } = await payments.stored(principal, id);
  const cause = { type: 'member', id: grace.member_id, address: grace.address };
  expect(history.slice(1).map((entry) => entry.cause)).toEqual([cause, cause]);
  expect(await storedRequest(id)).toMatchObject({ outcome: FORGOTTEN });
  expect(await storedRequest(id)).not.toHaveProperty('settlement');
  expect(await auditedSteps(id)).toHaveLength(2);
  await another.app.outbox.drain();
  await another.stop();
});

test('a settlement above the amount of the policy keeps no text of the member after a crash between the settlement and its removal', async () => {
  const { id, ada, grace } = await aGuardedPayment();
  await approveAndCrash(grace, await request(ada, id, failed), (app) => {
    app.approvals.finish = crash;
  });
  expect(await storedRequest(id)).toMatchObject({ outcome: failed });

  payments.clock.advance(LEASE_MS);
  await payments.app.tasks.finishApprovals();
  expect(await storedRequest(id)).toMatchObject({ status: 'approved', outcome: FORGOTTEN });
});

test('a settlement above the amount of the policy keeps no text of the member when the payment was canceled after a crash', async () => {
  const { principal, id, ada, grace } = await aGuardedPayment();
  await approveAndCrash(grace, await request(ada, id, failed), (app) => {
    app.store.transition = crash;
  });
  await payments.send(principal, { method: 'POST', path: `/v1/payments/${id}/cancel` });

  payments.clock.advance(LEASE_MS);
  await payments.app.tasks.finishApprovals();
  expect(await statusOf(principal, id)).toBe('canceled');
  expect(await storedRequest(id)).toMatchObject({ outcome: FORGOTTEN });
});

test('a settlement above the amount of the policy is not completed with another outcome or approver than the service wrote', async () => {
  for (const forged of [{ outcome: succeeded }, { 'settlement.cause.id': newId('member') }]) {
    const { principal, id, ada, grace } = await aGuardedPayment();
    await approveAndCrash(grace, await request(ada, id, failed), (app) => {
      app.store.transition = crash;
    });
    await requests().updateOne({ payment_id: id }, { $set: forged });
    payments.clock.advance(LEASE_MS);
    await payments.app.tasks.finishApprovals();
    expect(await statusOf(principal, id)).toBe('pending');
  }
});

test('a settlement above the amount of the policy keeps no text of the member once it is decided', async () => {
  const texts = payments.connection.collection<{ payment_id: string; outcome: SettlementOutcome }>(
    'approval_requests',
  );
  const decisions = [
    (grace: Member, requestId: string) => approve(grace, requestId),
    (grace: Member, requestId: string) => reject(grace, requestId),
    async () => {
      payments.clock.advance(APPROVAL_LIMITS.requestExpiresAfterMs);
      await payments.app.tasks.expireApprovalRequests();
    },
  ];
  for (const decide of decisions) {
    const { id, ada, grace } = await aGuardedPayment();
    await decide(grace, await request(ada, id, failed));
    expect((await texts.findOne({ payment_id: id }))?.outcome).toEqual({
      status: 'failed',
      failure: { code: 'rejected_by_bank', message: '' },
    });
  }
});

test('a settlement above the amount of the policy is not approved for a payment that was canceled', async () => {
  const { principal, id, ada, grace } = await aGuardedPayment();
  const requestId = await request(ada, id);
  await payments.send(principal, { method: 'POST', path: `/v1/payments/${id}/cancel` });
  await expect(approve(grace, requestId)).rejects.toMatchObject(rejection('conflict'));
  expect(await statusOf(principal, id)).toBe('canceled');
  expect(await auditedSteps(id)).toHaveLength(1);
});

test('the approval policy of a team does not concern other amounts, currencies, environments, and teams', async () => {
  const { principal, ada } = await aGuardedPayment();
  for (const fields of [{ amount: 900 }, { currency: 'USD' }]) {
    const { id } = await payments.create(principal, fields);
    expect(await settle(ada, id)).toMatchObject({ status: 'succeeded', approval_request: null });
  }
  const other = aPrincipal({ environment: 'live' });
  const ofOther = await payments.create(other);
  expect(await settle(anActor(other, 'admin'), ofOther.id)).toMatchObject({ status: 'succeeded' });
});

test('the approval policy of a team applies to every payment with the amount 0', async () => {
  const { principal, ada } = await aGuardedPayment([{ currency: 'EUR', amount: 0 }]);
  const { id } = await payments.create(principal, { amount: 1 });
  expect((await settle(ada, id)).approval_request).not.toBeNull();
});

test('the approval policy of a team applies at once at every instance', async () => {
  const { principal, id, ada } = await aGuardedPayment([]);
  const another = await payments.anotherInstance();
  await setPolicy(ada, ABOVE_9_EUR);
  const settled = await settlePayment(deps(another.app), ada, { payment_id: id, outcome: succeeded }, null);
  expect(settled.approval_request).not.toBeNull();
  expect(await statusOf(principal, id)).toBe('pending');
  await another.stop();
});

test('the approval policy of a team is not skipped when it cannot be read', async () => {
  const { principal, id, ada } = await aGuardedPayment();
  const policies = {
    ...payments.app.policies,
    find: async () => {
      throw new Error('MongoDB is unreachable');
    },
  };
  const request = { payment_id: id, outcome: succeeded };
  await expect(settlePayment({ ...deps(), policies }, ada, request, null)).rejects.toThrow('unreachable');
  expect(await statusOf(principal, id)).toBe('pending');
});

test('the approval policy of a team is changed by admins and owners, and audited', async () => {
  const principal = aPrincipal({ environment: 'live' });
  const ada = anActor(principal, 'owner');
  for (const role of ['viewer', 'developer'] as const) {
    await expect(setPolicy(anActor(principal, role), [])).rejects.toMatchObject(rejection('forbidden'));
  }
  const usd = { currency: 'USD', amount: 0 };
  expect(await setPolicy(ada, [usd, ...ABOVE_9_EUR])).toEqual({
    thresholds: [...ABOVE_9_EUR, usd],
    version: 2,
  });
  expect(await setPolicy(ada, [...ABOVE_9_EUR, usd])).toMatchObject({ version: 2 });
  await expect(setPolicy(ada, [], 1)).rejects.toMatchObject(rejection('precondition-failed'));
  expect(await setPolicy(ada, [], 2)).toEqual({ thresholds: [], version: 3 });
  const stored = await payments.connection
    .collection<Audited & { _id: string }>('approval_policies')
    .findOne({ _id: principal.team_id });
  expect(stored?.outbox).toMatchObject([
    {
      action: 'team.approval_policy_changed',
      actor: { id: ada.member_id },
      changes: { approval_thresholds: { before: 'off', after: 'EUR 900, USD 0' } },
    },
    { changes: { approval_thresholds: { before: 'EUR 900, USD 0', after: 'off' } } },
  ]);
});

test('the approval policy of a team rejects an unknown currency, and two thresholds for one', async () => {
  const ada = anActor(aPrincipal(), 'admin');
  for (const thresholds of [
    [{ currency: 'XXX', amount: 1 }],
    [...ABOVE_9_EUR, { currency: 'EUR', amount: 1 }],
  ]) {
    await expect(setPolicy(ada, thresholds)).rejects.toMatchObject(rejection('invalid-request'));
  }
});
