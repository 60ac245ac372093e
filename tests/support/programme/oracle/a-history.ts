import type { AuditAction, AuditRecord } from '@tollgate/contracts/audit/audit';
import type { PaymentCause, PaymentEvent, PaymentEventType } from '@tollgate/contracts/payments/events';
import type { Payment } from '@tollgate/contracts/payments/payment';
import { Webhook } from 'standardwebhooks';
import type { Attempt, History, PerformedOperation } from '../history.ts';
import type { Operation, Order } from '../plan.ts';

const TEAM = 'team_1';
const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const OTHER_SECRET = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
export const REVOKED_AT = 1_000;

/**
 * The history of a run without any violation: the payment of `order-1` succeeds at the adapter, that of `order-2` is canceled, and the
 * key `key-1` is revoked.
 */
export function aHistory(): History {
  const paid = [
    anEvent('evt_1', 'payment.created', { id: 'pay_1', reference: 'order-1', version: 1 }),
    anEvent('evt_2', 'payment.processing', {
      id: 'pay_1',
      reference: 'order-1',
      version: 2,
      status: 'processing',
    }),
    anEvent('evt_3', 'payment.succeeded', {
      id: 'pay_1',
      reference: 'order-1',
      version: 3,
      status: 'succeeded',
    }),
  ];
  const canceled = [
    anEvent('evt_4', 'payment.created', { id: 'pay_2', reference: 'order-2', version: 1 }),
    anEvent('evt_5', 'payment.canceled', {
      id: 'pay_2',
      reference: 'order-2',
      version: 2,
      status: 'canceled',
    }),
  ];
  const events = [...paid, ...canceled];
  return {
    integrations: [anIntegration('app_1', SECRET), anIntegration('app_2', OTHER_SECRET)],
    orders: [anOrder('order-1'), anOrder('order-2')],
    operations: [
      performed(0, { kind: 'create', order: 'order-1' }, [anAttempt({ payment: paid[0]?.data })]),
      performed(1, { kind: 'read', order: 'order-1' }, [anAttempt({ payment: paid[2]?.data })]),
      performed(2, { kind: 'create', order: 'order-2' }, [anAttempt({ payment: canceled[0]?.data })]),
      performed(3, { kind: 'cancel', order: 'order-2' }, [anAttempt({ payment: canceled[1]?.data })]),
      performed(4, { kind: 'create-key', key: 'key-1', integration: 0 }, [anAdminAttempt()]),
      performed(5, { kind: 'revoke-key', key: 'key-1' }, [anAdminAttempt({ endedAt: REVOKED_AT })]),
      performed(6, { kind: 'use-key', key: 'key-1' }, [aRejection({ sentAt: REVOKED_AT + 10 })], 'rejected'),
    ],
    keys: [
      { name: 'main-0', id: 'key_main', integration: 0, hasSecret: true },
      { name: 'key-1', id: 'key_1', integration: 0, hasSecret: true },
    ],
    faults: [{ name: 'nats is killed', startedAt: 100, endedAt: 200 }],
    principalsMaxStalenessMs: 30_000,
    maxClockErrorMs: 0,
    webhooks: events.map(aWebhook),
    charges: [{ paymentId: 'pay_1', amount: 100, currency: 'EUR' }],
    events,
    deliveries: events.map(({ id }) => ({
      ...{ eventId: id, endpointId: 'ep_app_1', teamId: TEAM },
      status: 'succeeded',
      attempts: [1],
      error: null,
    })),
    auditLogs: [
      {
        teamId: TEAM,
        records: [
          aRecord('payment.created', 'pay_1'),
          aRecord('payment.created', 'pay_2'),
          aRecord('payment.canceled', 'pay_2'),
          aRecord('key.created', 'key_main'),
          aRecord('key.created', 'key_1'),
          aRecord('key.revoked', 'key_1'),
        ],
        findings: [],
      },
    ],
    usage: new Map([['key_main', 4]]),
    leftovers: [],
  };
}

export function anEvent(
  id: string,
  type: PaymentEventType,
  payment: Partial<Payment>,
  cause: Partial<PaymentCause> = { type: 'key', id: 'key_main' },
): PaymentEvent {
  const data = {
    object: 'payment',
    status: 'pending',
    amount: 100,
    currency: 'EUR',
    processor: 'acme',
    payment_method: 'acme_card',
    ...payment,
  };
  return {
    id,
    type,
    team_id: TEAM,
    application_id: 'app_1',
    environment: 'sandbox',
    cause,
    data,
  } as PaymentEvent;
}

function anIntegration(applicationId: string, secret: string): History['integrations'][number] {
  const endpoint = { id: `ep_${applicationId}`, path: `/hooks/${applicationId}`, secret };
  return { teamId: TEAM, applicationId, environment: 'sandbox', endpoint };
}

function anOrder(name: string): Order {
  const body = { amount: 100, currency: 'EUR', reference: name, payment_method: 'acme_card' };
  return { name, integration: 0, body, idempotencyKey: name, isHeld: false };
}

export function performed(
  index: number,
  operation: Operation,
  attempts: Attempt[],
  outcome: PerformedOperation['outcome'] = 'acknowledged',
): PerformedOperation {
  return { index, operation, attempts, outcome };
}

export function anAttempt({
  payment,
  ...changes
}: Omit<Partial<Attempt>, 'payment'> & { payment?: Payment | undefined } = {}): Attempt {
  const response = {
    sentAt: 0,
    endedAt: 10,
    keyId: 'key_main',
    status: 200,
    code: null,
    isCounted: true,
    shouldRetry: false,
  };
  return { ...response, ...changes, ...(payment && { payment }) };
}

function anAdminAttempt(changes: Partial<Attempt> = {}): Attempt {
  return {
    sentAt: 0,
    endedAt: 10,
    status: 200,
    code: null,
    isCounted: false,
    shouldRetry: false,
    ...changes,
  };
}

function aRejection(changes: Partial<Attempt>): Attempt {
  return anAttempt({ keyId: 'key_1', status: 401, code: 'invalid-api-key', isCounted: false, ...changes });
}

export function aWebhook({ id }: { id: string }): History['webhooks'][number] {
  const rawBody = Buffer.from(JSON.stringify({ id }));
  const sentAt = new Date();
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
    'webhook-signature': new Webhook(SECRET).sign(id, sentAt, rawBody),
  };
  return { id, path: '/hooks/app_1', headers, rawBody, receivedAtMs: sentAt.getTime() };
}

export function aRecord(action: AuditAction, targetId: string): AuditRecord {
  return { action, target: { id: targetId } } as AuditRecord;
}
