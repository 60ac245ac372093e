import type { Bus } from '@tollgate/bus/connection';
import { type RpcServer, serveRpcs } from '@tollgate/bus/rpc';
import * as contract from '@tollgate/contracts/payments/rpc';
import { wholeList } from '@tollgate/contracts/platform/page';
import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import type { VerifyActor } from '@tollgate/security/actor-token';
import type { Signer } from '@tollgate/security/signature';
import type { AuditOutbox } from '@tollgate/store/audit-outbox';
import type { IdempotencyStore } from '@tollgate/store/idempotency-store';
import { isStoreUnavailable } from '@tollgate/store/store-unavailable';
import { createTeamQueries } from '@tollgate/store/team-queries';
import type { ApprovalStore } from './approval/approval-store.ts';
import { listApprovalRequests } from './approval/list-approval-requests.ts';
import type { PolicyStore } from './approval/policy-store.ts';
import { setApprovalPolicy } from './approval/set-approval-policy.ts';
import { cancelForActor } from './cancellation/cancel-for-actor.ts';
import type { CancelPaymentDeps } from './cancellation/cancel-payment.ts';
import { erasePayment } from './erasure/erase-payment.ts';
import { getPaymentDetail } from './history/get-payment-detail.ts';
import { getTimeline } from './history/get-timeline.ts';
import type { HistoryStore } from './history/history-store.ts';
import { listPayments } from './history/list-payments.ts';
import { listProcessorCalls } from './history/list-processor-calls.ts';
import { listProcessors } from './history/list-processors.ts';
import type { PaymentSummaries } from './history/summarize-payments.ts';
import { totalPayments } from './history/total-payments.ts';
import { eventsSince } from './outbox/events-since.ts';
import type { PaymentOutbox } from './outbox/payment-outbox.ts';
import { actOnPage, readSandboxPage } from './processing/sandbox-page.ts';
import type { Processors } from './processors/processor.ts';
import type { ProcessorHealthLog } from './processors/processor-health.ts';
import type { PageTokens } from './processors/sandbox/page-tokens.ts';
import type { ComparisonStore } from './reconciliation/comparison-store.ts';
import type { DifferenceStore } from './reconciliation/difference-store.ts';
import { getReconciliation } from './reconciliation/get-reconciliation.ts';
import { resolveDifference } from './reconciliation/resolve-difference.ts';
import type { RetentionStore } from './retention/retention-store.ts';
import { setDataRetention } from './retention/set-data-retention.ts';
import { getReset, requestReset } from './sandbox-reset/request-reset.ts';
import type { ResetStore } from './sandbox-reset/reset-store.ts';
import type { HistorySeals } from './seals/history-seal.ts';
import type { VerifiedPayments } from './seals/verified-payments.ts';
import { approveSettlement, rejectSettlement } from './settlement/decide-approval.ts';
import { readOutcome } from './settlement/read-outcome.ts';
import { settlePayment } from './settlement/settle-payment.ts';
import { simulatePayment } from './settlement/simulate-payment.ts';
import type { PaymentStore } from './store/payment-store.ts';

export interface RpcDeps extends CancelPaymentDeps {
  bus: Bus;
  store: PaymentStore;
  seals: HistorySeals;
  verified: VerifiedPayments;
  signer: Signer;
  history: HistoryStore;
  summaries: PaymentSummaries;
  pageTokens: PageTokens;
  processors: Processors;
  health: ProcessorHealthLog;
  stuckAfterMs: number;
  differences: DifferenceStore;
  comparisons: ComparisonStore;
  retention: RetentionStore;
  policies: PolicyStore;
  approvals: ApprovalStore;
  resets: ResetStore;
  idempotency: IdempotencyStore;
  outbox: PaymentOutbox;
  audit: AuditOutbox;
  clock: Clock;
  logger: Logger;
  verifyActor: VerifyActor;
}

/** Serves `rpc.payments.*`. */
export function servePaymentsRpc(deps: RpcDeps): RpcServer {
  const { bus, logger, verifyActor, summaries } = deps;
  const queries = createTeamQueries();
  const options = { verifyActor, isUnavailable: isStoreUnavailable, logger };
  return serveRpcs(bus, options, (serve) => [
    serve(contract.listPayments, (request, { actor }) =>
      queries.run(actor.team_id, () => listPayments(deps, actor, request)),
    ),
    serve(contract.getPayment, ({ payment_id }, { actor }) => getPaymentDetail(deps, actor, payment_id)),
    serve(contract.getTimeline, ({ payment_id }, { actor }) => getTimeline(deps, actor, payment_id)),
    serve(contract.listProcessorCalls, async ({ payment_id }, { actor }) =>
      wholeList(await listProcessorCalls(deps, actor, payment_id)),
    ),
    serve(contract.listProcessors, async ({ environment }, { actor }) =>
      wholeList(await queries.run(actor.team_id, () => listProcessors(deps, actor, environment))),
    ),
    serve(contract.getReconciliation, (request, { actor }) =>
      queries.run(actor.team_id, () => getReconciliation(deps, actor, request)),
    ),
    serve(contract.resolveDifference, ({ payment_id, note }, { actor }) =>
      resolveDifference(deps, actor, { paymentId: payment_id, note }),
    ),
    serve(contract.totalPayments, async (request, { actor }) =>
      wholeList(await queries.run(actor.team_id, () => totalPayments(deps, actor, request))),
    ),
    serve(contract.summarizePayments, (request, { actor }) =>
      queries.run(actor.team_id, () => summaries.summarize(actor, request)),
    ),
    serve(contract.getDataRetention, (_request, { actor }) => deps.retention.find(actor.team_id)),
    serve(contract.setDataRetention, ({ days, if_version: ifVersion }, { actor }) =>
      setDataRetention(deps, actor, { days, ifVersion }),
    ),
    serve(contract.settlePayment, ({ payment_id, outcome }, { actor, requestId }) =>
      settlePayment(deps, { actor, paymentId: payment_id, outcome: readOutcome(outcome), requestId }),
    ),
    serve(contract.getApprovalPolicy, (_request, { actor }) => deps.policies.find(actor.team_id)),
    serve(contract.setApprovalPolicy, ({ thresholds, if_version: ifVersion }, { actor }) =>
      setApprovalPolicy(deps, actor, { thresholds, ifVersion }),
    ),
    serve(contract.listApprovalRequests, (request, { actor }) =>
      queries.run(actor.team_id, () => listApprovalRequests(deps, actor, request)),
    ),
    serve(contract.approveSettlement, ({ approval_request_id: approvalRequestId }, { actor, requestId }) =>
      approveSettlement(deps, { actor, approvalRequestId, requestId }),
    ),
    serve(contract.rejectSettlement, ({ approval_request_id: approvalRequestId }, { actor, requestId }) =>
      rejectSettlement(deps, { actor, approvalRequestId, requestId }),
    ),
    serve(contract.simulatePayment, ({ payment_id, outcome }, { actor, requestId }) =>
      simulatePayment(deps, { actor, paymentId: payment_id, outcome: readOutcome(outcome), requestId }),
    ),
    serve(contract.cancelPayment, ({ payment_id, cancellation_reason }, { actor, requestId }) =>
      cancelForActor(deps, {
        actor,
        paymentId: payment_id,
        reason: cancellation_reason ?? null,
        requestId,
      }),
    ),
    serve(contract.erasePayment, ({ payment_id }, { actor, requestId }) =>
      erasePayment(deps, actor, { paymentId: payment_id, requestId }),
    ),
    serve(contract.resetSandbox, (_request, { actor, idempotentCall }) =>
      requestReset(deps, actor, idempotentCall),
    ),
    serve(contract.getSandboxReset, (_request, { actor }) => getReset(deps, actor)),
    serve(contract.lastSandboxResets, async ({ team_ids }) => ({
      data: await deps.resets.findLast(team_ids),
    })),
    serve(contract.hasPayments, async ({ team_id, application_id }) => ({
      has_payments: await deps.store.existsOfApplication(team_id, application_id),
    })),
    serve(contract.getSandboxPage, ({ token }) => readSandboxPage(deps, token)),
    serve(contract.actOnSandboxPage, ({ token, action }) => actOnPage(deps, token, action)),
    serve(contract.eventsSince, (request) => eventsSince(deps, request)),
  ]);
}
