import * as payments from '../rpc/payments.ts';
import { LIVE_NEEDS_ADMIN, route } from './route.ts';

export const paymentRoutes = {
  listPayments: route('GET', '/payments', payments.listPayments, {
    summary: 'List payments, newest first; a page may be short, and only a null `next_cursor` is the end',
    access: 'viewer',
  }),
  summarizePayments: route('GET', '/payments/summary', payments.summarizePayments, {
    summary: 'Count the payments of a period by status, currency and time',
    access: 'viewer',
  }),
  getPayment: route('GET', '/payments/:payment_id', payments.getPayment, {
    summary: 'Read a payment',
    access: 'viewer',
  }),
  getTimeline: route('GET', '/payments/:payment_id/timeline', payments.getTimeline, {
    summary: 'List the transitions of a payment, with who or what caused each',
    access: 'viewer',
  }),
  simulatePayment: route('POST', '/payments/:payment_id/simulate', payments.simulatePayment, {
    summary: 'Bring a sandbox payment to an end',
    access: 'developer',
  }),
  settlePayment: route('POST', '/payments/:payment_id/settle', payments.settlePayment, {
    summary: 'Settle a payment of the manual processor',
    access: LIVE_NEEDS_ADMIN,
  }),
};
