import { MINUTE_MS } from '@tollgate/contracts/platform/durations';
import { expect, it } from 'vitest';
import type { History } from '../history.ts';
import { aHistory, anAttempt, anEvent, aRecord, aWebhook, performed, REVOKED_AT } from './a-history.ts';
import { CHECKS, type CheckName, judge } from './judge.ts';
import { MAX_PROPAGATION_MS } from './keys.ts';

const good = aHistory();

const withEvents = (...events: History['events']) => ({ events: [...good.events, ...events] });
const withOperation = (operation: History['operations'][number]) => ({
  operations: [...good.operations, operation],
});
const withoutEvents = (...ids: string[]) => ({ events: good.events.filter(({ id }) => !ids.includes(id)) });
const withRecords = (records: History['auditLogs'][number]['records']) => ({
  auditLogs: good.auditLogs.map((log) => ({ ...log, records })),
});
const records = good.auditLogs.flatMap((log) => log.records);
const [delivery] = good.deliveries;
const [webhook] = good.webhooks;
if (!delivery || !webhook) throw new Error('The history has no delivery.');
const otherDeliveries = good.deliveries.slice(1);
const otherWebhooks = good.webhooks.slice(1);
const [created] = good.events;
const useOfRevokedKey = (sentAt: number) =>
  withOperation(
    performed(7, { kind: 'use-key', key: 'key-1' }, [
      anAttempt({ keyId: 'key_1', status: 404, code: 'payment-not-found', sentAt }),
      anAttempt({
        keyId: 'key_1',
        status: 401,
        code: 'invalid-api-key',
        isCounted: false,
        sentAt: sentAt + 1,
      }),
    ]),
  );

/** What is wrong, and the check that must find it. */
const BAD: [check: CheckName, what: string, change: Partial<History>][] = [
  ['lost payment', 'an acknowledged payment is not stored', withoutEvents('evt_1', 'evt_2', 'evt_3')],
  [
    'wrong response',
    'a response had another amount',
    withOperation(
      performed(7, { kind: 'read', order: 'order-1' }, [
        anAttempt({ payment: { ...(created?.data as History['events'][number]['data']), amount: 99 } }),
      ]),
    ),
  ],
  [
    'duplicated payment',
    'an order has two payments',
    withEvents(anEvent('evt_9', 'payment.created', { id: 'pay_9', reference: 'order-1', version: 1 })),
  ],
  [
    'wrong payment',
    'a payment has no order',
    withEvents(anEvent('evt_9', 'payment.created', { id: 'pay_9', reference: 'order-9', version: 1 })),
  ],
  [
    'wrong payment',
    'a payment has another amount than its order',
    { orders: good.orders.map((order) => ({ ...order, body: { ...order.body, amount: 99 } })) },
  ],
  [
    'unexpected response',
    'a valid creation was rejected',
    withOperation(
      performed(
        7,
        { kind: 'create', order: 'order-1' },
        [anAttempt({ status: 400, code: 'invalid-request' })],
        'rejected',
      ),
    ),
  ],
  [
    'unexpected response',
    'a request had an internal error',
    withOperation(
      performed(
        7,
        { kind: 'read', order: 'order-1' },
        [anAttempt({ status: 500, code: 'internal' })],
        'unknown',
      ),
    ),
  ],
  [
    'unresolved operation',
    'a creation with a key has no outcome',
    withOperation(performed(7, { kind: 'create', order: 'order-1' }, [], 'unknown')),
  ],
  ['illegal transition', 'a version is missing', withoutEvents('evt_2')],
  [
    'illegal transition',
    'a canceled payment succeeds',
    withEvents(
      anEvent('evt_9', 'payment.succeeded', {
        id: 'pay_2',
        reference: 'order-2',
        version: 3,
        status: 'succeeded',
      }),
    ),
  ],
  [
    'illegal transition',
    'a version exists twice',
    withEvents(
      anEvent('evt_9', 'payment.succeeded', {
        id: 'pay_1',
        reference: 'order-1',
        version: 3,
        status: 'succeeded',
      }),
    ),
  ],
  ['open payment', 'a payment is still processing', withoutEvents('evt_3')],
  ['duplicated charge', 'a payment was charged twice', { charges: [...good.charges, ...good.charges] }],
  [
    'duplicated charge',
    'two payments of an order were charged',
    {
      ...withEvents(anEvent('evt_9', 'payment.created', { id: 'pay_9', reference: 'order-1', version: 1 })),
      charges: [...good.charges, { paymentId: 'pay_9', amount: 100, currency: 'EUR' }],
    },
  ],
  [
    'wrong charge',
    'a canceled payment was charged',
    { charges: [...good.charges, { paymentId: 'pay_2', amount: 100, currency: 'EUR' }] },
  ],
  [
    'wrong charge',
    'another amount was charged',
    { charges: [{ paymentId: 'pay_1', amount: 99, currency: 'EUR' }] },
  ],
  ['wrong charge', 'a payment succeeded without a charge', { charges: [] }],
  ['wrong delivery', 'an event has no delivery', { deliveries: otherDeliveries }],
  ['wrong delivery', 'an event has two deliveries', { deliveries: [delivery, ...good.deliveries] }],
  [
    'wrong delivery',
    'a delivery is pending',
    { deliveries: [{ ...delivery, status: 'pending' }, ...otherDeliveries] },
  ],
  [
    'wrong delivery',
    'a delivery failed without a reason',
    { deliveries: [{ ...delivery, status: 'failed' }, ...otherDeliveries] },
  ],
  [
    'wrong delivery',
    'an attempt is recorded twice',
    { deliveries: [{ ...delivery, attempts: [1, 1] }, ...otherDeliveries] },
  ],
  ['wrong delivery', 'a delivery succeeded, and the receiver got nothing', { webhooks: otherWebhooks }],
  [
    'foreign delivery',
    'an event was sent to the endpoint of another application',
    { webhooks: [...good.webhooks, { ...webhook, path: '/hooks/app_2' }] },
  ],
  [
    'foreign delivery',
    'an event has a delivery to the endpoint of another application',
    { deliveries: [...good.deliveries, { ...delivery, endpointId: 'ep_app_2' }] },
  ],
  [
    'forged webhook',
    'a request is signed for another body',
    { webhooks: [{ ...webhook, rawBody: Buffer.from('{}') }, ...otherWebhooks] },
  ],
  [
    'forged webhook',
    'a request was signed long before it was sent',
    { webhooks: [{ ...webhook, receivedAtMs: webhook.receivedAtMs + 6 * MINUTE_MS }, ...otherWebhooks] },
  ],
  [
    'forged webhook',
    'a request was repeated with another body',
    { webhooks: [...good.webhooks, { ...aWebhook({ id: 'evt_9' }), id: webhook.id }] },
  ],
  ['wrong usage', 'a response was not counted', { usage: new Map([['key_main', 3]]) }],
  ['wrong usage', 'a request was counted twice', { usage: new Map([['key_main', 5]]) }],
  ['wrong audit record', 'a creation is not recorded', withRecords(records.slice(1))],
  ['wrong audit record', 'a creation is recorded twice', withRecords([...records, ...records.slice(0, 1)])],
  [
    'wrong audit record',
    'a cancellation is recorded that did not happen',
    withRecords([...records, aRecord('payment.canceled', 'pay_1')]),
  ],
  [
    'wrong audit record',
    'a revocation is recorded for another team',
    { auditLogs: good.auditLogs.map((log) => ({ ...log, teamId: 'team_2' })) },
  ],
  [
    'audit finding',
    'the verifier found something',
    { auditLogs: good.auditLogs.map((log) => ({ ...log, findings: ['record-changed: 3'] })) },
  ],
  [
    'accepted revoked key',
    'a revoked key was accepted after the bound',
    useOfRevokedKey(REVOKED_AT + MAX_PROPAGATION_MS + 1),
  ],
  [
    'accepted revoked key',
    'a revoked key was accepted for longer than the staleness, although a fault lasts',
    {
      ...useOfRevokedKey(REVOKED_AT + good.principalsMaxStalenessMs + 1),
      faults: [{ name: 'a partition', startedAt: 0, endedAt: REVOKED_AT + 1_000_000 }],
    },
  ],
  [
    'accepted revoked key',
    'a revoked key is not rejected in the end',
    withOperation(
      performed(7, { kind: 'use-key', key: 'key-1' }, [
        anAttempt({ keyId: 'key_1', status: 404, code: 'payment-not-found', sentAt: REVOKED_AT + 20 }),
      ]),
    ),
  ],
  [
    'rejected valid key',
    'a key was rejected that was created long ago',
    {
      operations: [
        performed(7, { kind: 'create-key', key: 'key-1', integration: 0 }, [
          anAttempt({ isCounted: false, endedAt: 500 }),
        ]),
        performed(8, { kind: 'use-key', key: 'key-1' }, [
          anAttempt({ keyId: 'key_1', status: 401, isCounted: false, sentAt: 501 + MAX_PROPAGATION_MS }),
        ]),
      ],
    },
  ],
  ['leftover', 'a lease is left', { leftovers: ['ep_1 is leased'] }],
];

it('the oracle finds nothing in a history without a violation', () => {
  expect(judge(good)).toEqual([]);
});

it.each(BAD)('the oracle reports a %s when %s', (check, _, change) => {
  expect(judge({ ...good, ...change }).map((violation) => violation.check)).toContain(check);
});

it('the oracle has a bad history for each check', () => {
  expect(new Set(BAD.map(([check]) => check))).toEqual(new Set(Object.keys(CHECKS)));
});

it('the oracle accepts a request without a response as counted or not', () => {
  const lost = anAttempt({ status: null, code: 'UND_ERR_SOCKET', isCounted: null, shouldRetry: null });
  const operations = [
    ...good.operations,
    performed(7, { kind: 'read', order: 'order-1' }, [lost], 'unknown'),
  ];
  for (const requests of [4, 5]) {
    const usage = new Map([['key_main', requests]]);
    expect(CHECKS['wrong usage']({ ...good, operations, usage })).toEqual([]);
  }
});

it('the oracle counts the bound of a revocation from the end of the last fault', () => {
  const sentAt = REVOKED_AT + MAX_PROPAGATION_MS + 1;
  const faults = [{ name: 'nats is killed', startedAt: REVOKED_AT, endedAt: REVOKED_AT + 10 }];
  expect(CHECKS['accepted revoked key']({ ...good, ...useOfRevokedKey(sentAt), faults })).toEqual([]);
});
