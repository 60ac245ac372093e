import * as payments from '../payments/rpc.ts';
import { ROLE_BY_ENVIRONMENT } from '../platform/roles.ts';
import { route, routesOf } from './route.ts';

export const paymentRoutes = routesOf(payments, {
  listPayments: route('GET /payments', 'viewer', {
    summary: 'List payments by time of creation; only a null `next_cursor` marks the end',
  }),
  summarizePayments: route('GET /payments/summary', 'viewer', {
    summary: 'Count payments by status, currency, and time',
    errors: ['query-timeout'],
  }),
  totalPayments: route('GET /payments/totals', 'viewer', {
    summary: 'Count and sum the payments that meet filters, by status and currency',
    errors: ['query-timeout'],
  }),
  getPayment: route('GET /payments/:payment_id', 'viewer', { summary: 'Read a payment' }),
  getTimeline: route('GET /payments/:payment_id/timeline', 'viewer', {
    summary: 'List the transitions of a payment with their causes',
  }),
  listProcessorCalls: route('GET /payments/:payment_id/processor-calls', 'viewer', {
    summary: "List the newest calls to a payment's processor",
  }),
  listProcessors: route('GET /processors', 'viewer', {
    summary: 'List the processors with their health',
    errors: ['query-timeout'],
  }),
  getReconciliation: route('GET /processors/:name/reconciliation', 'viewer', {
    summary: 'List the payments that differ from what their processor reports',
    errors: ['query-timeout'],
  }),
  resolveDifference: route('POST /payments/:payment_id/resolve-difference', ROLE_BY_ENVIRONMENT, {
    summary: 'Record what was done about a difference to the processor',
    errors: ['conflict'],
  }),
  getDataRetention: route('GET /data-retention', 'viewer', {
    summary: 'Read how long the personal data of payments is kept',
  }),
  setDataRetention: route('PUT /data-retention', 'admin', {
    summary:
      'Set how long the personal data of payments is kept; older data is erased within minutes and cannot be restored',
    errors: ['reauthentication-required'],
  }),
  simulatePayment: route('POST /payments/:payment_id/simulate', 'developer', {
    summary: 'Simulate the outcome of a sandbox payment',
    errors: ['conflict'],
  }),
  settlePayment: route('POST /payments/:payment_id/settle', ROLE_BY_ENVIRONMENT, {
    summary:
      "Settle a payment of the manual processor, or request the approval that the team's policy requires",
    errors: ['conflict', 'reauthentication-required'],
  }),
  getApprovalPolicy: route('GET /approval-policy', 'viewer', {
    summary: 'Read above which amounts settling a live payment needs a second member',
  }),
  setApprovalPolicy: route('PUT /approval-policy', 'admin', {
    summary: 'Set above which amounts settling a live payment needs a second member',
  }),
  listApprovalRequests: route('GET /approval-requests', 'viewer', {
    summary: 'List requests for the approval of settlements, newest first',
    errors: ['query-timeout'],
  }),
  approveSettlement: route('POST /approval-requests/:approval_request_id/approve', 'admin', {
    summary: 'Approve the request of another member, which settles the payment',
    errors: ['conflict', 'reauthentication-required'],
  }),
  rejectSettlement: route('POST /approval-requests/:approval_request_id/reject', 'admin', {
    summary: 'Reject the request of another member, or withdraw your own',
    errors: ['conflict'],
  }),
  cancelPayment: route('POST /payments/:payment_id/cancel', ROLE_BY_ENVIRONMENT, {
    summary: 'Cancel a pending payment',
    errors: ['payment-not-cancelable'],
  }),
  erasePayment: route('POST /payments/:payment_id/erase', ROLE_BY_ENVIRONMENT, {
    summary: 'Erase the personal data of a payment that has ended; it cannot be restored',
    errors: ['conflict'],
  }),
  resetSandbox: route('POST /sandbox/reset', 'admin', {
    summary: 'Delete all sandbox data that the team created until now; it cannot be restored',
    errors: ['conflict'],
    status: 202,
  }),
  getSandboxReset: route('GET /sandbox/reset', 'viewer', {
    summary: 'Read the newest reset of the sandbox',
    errors: ['not-found'],
  }),
});
