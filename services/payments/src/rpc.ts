import type { Bus } from '@tollgate/bus/connection';
import { type RpcServer, serve } from '@tollgate/bus/rpc';
import * as contract from '@tollgate/contracts/payments/rpc';
import { wholeList } from '@tollgate/contracts/platform/page';
import { isStoreUnavailable } from '@tollgate/store/store-unavailable';
import { listApprovalRequests } from './approval/list-approval-requests.ts';
import { setApprovalPolicy } from './approval/set-approval-policy.ts';
import { cancelForActor } from './cancellation/cancel-for-actor.ts';
import type { Context } from './context.ts';
import { erasePayment } from './erasure/erase-payment.ts';
import { getPaymentDetail, getTimeline, listProcessorCalls } from './history/get-payment-detail.ts';
import { listPayments } from './history/list-payments.ts';
import { listProcessors } from './history/list-processors.ts';
import { totalPayments } from './history/total-payments.ts';
import { eventsSince } from './outbox/events-since.ts';
import { actOnPage, readSandboxPage } from './processing/sandbox-page.ts';
import { getReconciliation } from './reconciliation/get-reconciliation.ts';
import { resolveDifference } from './reconciliation/resolve-difference.ts';
import { setDataRetention } from './retention/set-data-retention.ts';
import { getReset, requestReset } from './sandbox-reset/request-reset.ts';
import { approveSettlement, rejectSettlement } from './settlement/decide-approval.ts';
import { settlePayment } from './settlement/settle-payment.ts';
import { simulatePayment } from './settlement/simulate-payment.ts';

/** Serves `rpc.payments.*`. */
export function servePaymentsRpc(bus: Bus, context: Context): RpcServer {
  const { queries, store, retention, policies, resets, summaries, verifyActor, logger } = context;
  return serve(
    bus,
    contract,
    {
      listPayments: (request, { actor }) =>
        queries.run(actor.team_id, () => listPayments(context, actor, request)),
      getPayment: ({ payment_id }, { actor }) => getPaymentDetail(context, actor, payment_id),
      getTimeline: ({ payment_id }, { actor }) => getTimeline(context, actor, payment_id),
      listProcessorCalls: async ({ payment_id }, { actor }) =>
        wholeList(await listProcessorCalls(context, actor, payment_id)),
      listProcessors: async ({ environment }, { actor }) =>
        wholeList(await queries.run(actor.team_id, () => listProcessors(context, actor, environment))),
      getReconciliation: (request, { actor }) =>
        queries.run(actor.team_id, () => getReconciliation(context, actor, request)),
      resolveDifference: (request, { actor }) => resolveDifference(context, actor, request),
      totalPayments: async (request, { actor }) =>
        wholeList(await queries.run(actor.team_id, () => totalPayments(context, actor, request))),
      summarizePayments: (request, { actor }) =>
        queries.run(actor.team_id, () => summaries.summarize(actor, request)),
      getDataRetention: (_request, { actor }) => retention.find(actor.team_id),
      setDataRetention: (request, { actor }) => setDataRetention(context, actor, request),
      settlePayment: (request, { actor, requestId }) => settlePayment(context, actor, request, requestId),
      getApprovalPolicy: (_request, { actor }) => policies.find(actor.team_id),
      setApprovalPolicy: (request, { actor }) => setApprovalPolicy(context, actor, request),
      listApprovalRequests: (request, { actor }) =>
        queries.run(actor.team_id, () => listApprovalRequests(context, actor, request)),
      approveSettlement: (request, { actor, requestId }) =>
        approveSettlement(context, actor, request, requestId),
      rejectSettlement: (request, { actor }) => rejectSettlement(context, actor, request),
      simulatePayment: (request, { actor, requestId }) => simulatePayment(context, actor, request, requestId),
      cancelPayment: (request, { actor, requestId }) => cancelForActor(context, actor, request, requestId),
      erasePayment: (request, { actor, requestId }) => erasePayment(context, actor, request, requestId),
      resetSandbox: (_request, { actor, idempotentCall }) => requestReset(context, actor, idempotentCall),
      getSandboxReset: (_request, { actor }) => getReset(context, actor),
      lastSandboxResets: async ({ team_ids }) => ({ data: await resets.findLast(team_ids) }),
      hasPayments: async ({ team_id, application_id }) => ({
        has_payments: await store.existsOfApplication(team_id, application_id),
      }),
      getSandboxPage: ({ token }) => readSandboxPage(context, token),
      actOnSandboxPage: ({ token, action }) => actOnPage(context, token, action),
      eventsSince: (request) => eventsSince(context, request),
    },
    { verifyActor, isUnavailable: isStoreUnavailable, logger },
  );
}
