import { randomInt } from 'node:crypto';
import type { paymentRoutes } from '@tollgate/contracts/admin-api/payments-routes';
import * as payments from '@tollgate/contracts/payments/rpc';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { apiClient } from '../../../support/api-client.ts';
import {
  COMPARED_PROCESSOR,
  storeComparison,
  storeDifference,
} from '../../../support/platform/stored-differences.ts';
import { createPayment } from './create-payment.ts';
import { plain, type Requests, type Scene } from './prepared-request.ts';

/** Settlements in a currency that no other request here uses need a second member. */
const APPROVED_BY_TWO = [{ currency: 'JPY', amount: 0 }];

const ofPayment =
  <More extends object>(more: More) =>
  async (scene: Scene, { environment }: { environment: Environment }) => ({
    request: { payment_id: await createPayment(scene, environment), ...more },
  });

/** A live payment whose settlement a member who calls nothing else has requested. */
async function ofApprovalRequest(scene: Scene) {
  const requester = await scene.team.createMember('admin');
  await requester.call(payments.setApprovalPolicy, { thresholds: APPROVED_BY_TWO });
  const payment_id = await createPayment(scene, 'live', 'JPY');
  const outcome = { status: 'succeeded' as const };
  const { approval_request } = await requester.call(payments.settlePayment, { payment_id, outcome });
  return { request: { approval_request_id: approval_request?.id ?? '' } };
}

export const paymentRequests: Requests<typeof paymentRoutes> = {
  listPayments: plain({}),
  summarizePayments: async (_scene, { environment }) => ({ request: { environment } }),
  totalPayments: async (_scene, { environment }) => ({ request: { environment } }),
  getPayment: ofPayment({}),
  getTimeline: ofPayment({}),
  listProcessorCalls: ofPayment({}),
  listProcessors: async (_scene, { environment }) => ({ request: { environment } }),
  getReconciliation: async ({ platform }, { environment }) => {
    await storeComparison(platform);
    return { request: { name: COMPARED_PROCESSOR, environment } };
  },
  resolveDifference: async (scene, { environment }) => {
    const { request } = await ofPayment({ note: 'Refunded at the processor' })(scene, { environment });
    const { platform, team, application } = scene;
    await storeDifference(platform, {
      teamId: team.id,
      applicationId: application.id,
      environment,
      paymentId: request.payment_id,
    });
    return { request };
  },
  getDataRetention: plain({}),
  setDataRetention: plain({ days: 3_650 }),
  simulatePayment: ofPayment({ outcome: { status: 'succeeded' as const } }),
  settlePayment: ofPayment({ outcome: { status: 'succeeded' as const } }),
  getApprovalPolicy: plain({}),
  setApprovalPolicy: async () => ({
    request: { thresholds: [...APPROVED_BY_TWO, { currency: 'USD', amount: randomInt(1_000_000) }] },
  }),
  listApprovalRequests: plain({ status: 'open' as const }),
  approveSettlement: ofApprovalRequest,
  rejectSettlement: ofApprovalRequest,
  cancelPayment: ofPayment({ cancellation_reason: 'duplicate' as const }),
  erasePayment: async (scene, { environment }) => ({
    request: { payment_id: await createCanceledPayment(scene, environment) },
  }),
  resetSandbox: plain({}),
  getSandboxReset: async (_scene, { caller }) => {
    await caller.team.owner.call(payments.resetSandbox, {});
    return { request: {} };
  },
};

async function createCanceledPayment(scene: Scene, environment: Environment): Promise<string> {
  const { platform, application } = scene;
  const paymentId = await createPayment(scene, environment);
  await apiClient(platform.baseUrl[environment], application.keys[environment]).cancel(paymentId);
  return paymentId;
}
