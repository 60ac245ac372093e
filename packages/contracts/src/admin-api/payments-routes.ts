import * as payments from '../payments/rpc.ts';
import { ROLE_BY_ENVIRONMENT } from '../platform/roles.ts';
import { route } from './route.ts';

export const paymentRoutes = {
  listPayments: route('GET', '/payments', payments.listPayments, {
    summary: 'List payments by time of creation; only a null `next_cursor` marks the end',
    access: 'viewer',
  }),
  summarizePayments: route('GET', '/payments/summary', payments.summarizePayments, {
    summary: 'Count payments by status, currency, and time',
    access: 'viewer',
    errors: ['query-timeout'],
  }),
  totalPayments: route('GET', '/payments/totals', payments.totalPayments, {
    summary: 'Count and sum the payments that meet filters, by status, up to 1,000',
    access: 'viewer',
    errors: ['query-timeout'],
  }),
  getPayment: route('GET', '/payments/:payment_id', payments.getPayment, {
    summary: 'Read a payment',
    access: 'viewer',
  }),
  getTimeline: route('GET', '/payments/:payment_id/timeline', payments.getTimeline, {
    summary: 'List the transitions of a payment with their causes',
    access: 'viewer',
  }),
  listProcessorCalls: route('GET', '/payments/:payment_id/processor-calls', payments.listProcessorCalls, {
    summary: "List the newest calls to a payment's processor",
    access: 'viewer',
  }),
  listProcessors: route('GET', '/processors', payments.listProcessors, {
    summary: 'List the processors with their health',
    access: 'viewer',
    errors: ['query-timeout'],
  }),
  getReconciliation: route('GET', '/processors/:name/reconciliation', payments.getReconciliation, {
    summary: 'List the payments that differ from what their processor reports',
    access: 'viewer',
    errors: ['query-timeout'],
  }),
  resolveDifference: route('POST', '/payments/:payment_id/resolve-difference', payments.resolveDifference, {
    summary: 'Record what was done about a difference to the processor',
    access: ROLE_BY_ENVIRONMENT,
    errors: ['conflict'],
  }),
  getDataRetention: route('GET', '/data-retention', payments.getDataRetention, {
    summary: 'Read how long the personal data of payments is kept',
    access: 'viewer',
  }),
  setDataRetention: route('PUT', '/data-retention', payments.setDataRetention, {
    summary:
      'Set how long the personal data of payments is kept; older data is erased within minutes and cannot be restored',
    access: 'admin',
    errors: ['reauthentication-required'],
  }),
  simulatePayment: route('POST', '/payments/:payment_id/simulate', payments.simulatePayment, {
    summary: 'Simulate the outcome of a sandbox payment',
    access: 'developer',
    errors: ['conflict'],
  }),
  settlePayment: route('POST', '/payments/:payment_id/settle', payments.settlePayment, {
    summary:
      "Settle a payment of the manual processor, or request the approval that the team's policy requires",
    access: ROLE_BY_ENVIRONMENT,
    errors: ['conflict', 'reauthentication-required'],
  }),
  getApprovalPolicy: route('GET', '/approval-policy', payments.getApprovalPolicy, {
    summary: 'Read above which amounts settling a live payment needs a second member',
    access: 'viewer',
  }),
  setApprovalPolicy: route('PUT', '/approval-policy', payments.setApprovalPolicy, {
    summary: 'Set above which amounts settling a live payment needs a second member',
    access: 'admin',
  }),
  listApprovalRequests: route('GET', '/approval-requests', payments.listApprovalRequests, {
    summary: 'List requests for the approval of settlements, newest first',
    access: 'viewer',
    errors: ['query-timeout'],
  }),
  approveSettlement: route(
    'POST',
    '/approval-requests/:approval_request_id/approve',
    payments.approveSettlement,
    {
      summary: 'Approve the request of another member, which settles the payment',
      access: 'admin',
      errors: ['conflict', 'reauthentication-required'],
    },
  ),
  rejectSettlement: route(
    'POST',
    '/approval-requests/:approval_request_id/reject',
    payments.rejectSettlement,
    {
      summary: 'Reject the request of another member, or withdraw your own',
      access: 'admin',
      errors: ['conflict'],
    },
  ),
  cancelPayment: route('POST', '/payments/:payment_id/cancel', payments.cancelPayment, {
    summary: 'Cancel a pending payment',
    access: ROLE_BY_ENVIRONMENT,
    errors: ['payment-not-cancelable'],
  }),
  erasePayment: route('POST', '/payments/:payment_id/erase', payments.erasePayment, {
    summary: 'Erase the personal data of a payment that has ended; it cannot be restored',
    access: ROLE_BY_ENVIRONMENT,
    errors: ['conflict'],
  }),
  resetSandbox: route('POST', '/sandbox/reset', payments.resetSandbox, {
    summary: 'Delete all sandbox data that the team created until now; it cannot be restored',
    access: 'admin',
    status: 202,
    errors: ['conflict'],
  }),
  getSandboxReset: route('GET', '/sandbox/reset', payments.getSandboxReset, {
    summary: 'Read the newest reset of the sandbox',
    access: 'viewer',
    errors: ['not-found'],
  }),
};
