import { randomBytes } from 'node:crypto';
import { newId } from '@tollgate/contracts/platform/ids';
import { parseKeyring } from '@tollgate/security/keyring';
import { describe, expect, it } from 'vitest';
import { aNewPayment } from '../../test/a-new-payment.ts';
import {
  type HistoryEntry,
  type MemberDecision,
  newHistoryEntry,
  type PaymentDocument,
} from '../lifecycle/payment.ts';
import { createHistorySeals, type HistorySeals } from './history-seal.ts';

const newKey = (version: string) => `${version}:${randomBytes(32).toString('base64')}`;
const key = newKey('1');
const seals = createHistorySeals(parseKeyring(key));

const decision: MemberDecision = {
  outcome: { status: 'failed', failure: { code: 'declined', message: 'No.' } },
  cause: { type: 'member', id: newId('member'), address: '203.0.113.7' },
  request_id: newId('request'),
};

function sealed(payment: PaymentDocument, by: HistorySeals = seals): PaymentDocument {
  const history = payment.history.map((entry) => ({ ...entry, seal: by.sealOf(payment, entry) }));
  const { settlement } = payment;
  const decision_seal = settlement.decision && by.sealDecision(payment, settlement.decision);
  return { ...payment, history, settlement: { ...settlement, ...(decision_seal && { decision_seal }) } };
}

/** A payment that a member let fail, without seals. */
function aFailedPayment(): PaymentDocument {
  const payment = aNewPayment({
    payer: { name: 'Ada', account: null, email: null },
    metadata: [{ key: 'order', value: '1' }],
  });
  for (const type of ['payment.processing', 'payment.failed'] as const) {
    const version = payment.history.length + 1;
    const entry = { type, version, occurredAt: new Date(), cause: decision.cause, requestId: null };
    payment.history.push(newHistoryEntry(entry));
  }
  const failure = { code: 'declined', message: 'No.' };
  return {
    ...payment,
    status: 'failed',
    version: 3,
    failure,
    settlement: { ...payment.settlement, decision },
  };
}

const at = (payment: PaymentDocument, index: number) => payment.history[index] as HistoryEntry;
const withEntry = (payment: PaymentDocument, index: number, changes: Partial<HistoryEntry>) => ({
  ...payment,
  history: payment.history.map((entry, i) => (i === index ? { ...entry, ...changes } : entry)),
});

describe('a sealed payment', () => {
  const payment = sealed(aFailedPayment());
  const foreign = sealed(aFailedPayment());

  it('a sealed payment is verified, also when its events were published since', () => {
    expect(seals.verify(payment)).toBeNull();
    expect(seals.verify(withEntry(payment, 0, { published_at: new Date() }))).toBeNull();
  });

  it('a sealed payment is sealed for a transition without being read', () => {
    const entry = at(payment, 2);
    expect(
      seals.sealTransition(payment, entry, { failure: payment.failure, cancellation_reason: null }),
    ).toBe(entry.seal);
  });

  const altered: [what: string, change: PaymentDocument][] = [
    ['amount', { ...payment, amount: 1 }],
    ['amount as text', { ...payment, amount: '1000' as never }],
    ['currency', { ...payment, currency: 'USD' }],
    ['payer', { ...payment, payer: null }],
    ['payee', { ...payment, payee: { name: 'Eve', account: null, email: null } }],
    ['metadata', { ...payment, metadata: [{ key: 'order', value: '2' }] }],
    ['reference', { ...payment, reference: 'x' }],
    ['processor', { ...payment, settlement: { ...payment.settlement, processor: 'manual' } }],
    ['expiry', { ...payment, expires_at: new Date(0) }],
    ['creation time', { ...payment, created_at: new Date(0) }],
    ['id', { ...payment, _id: newId('payment') }],
    ['team', { ...payment, team_id: newId('team') }],
    ['application', { ...payment, application_id: newId('application') }],
    ['environment', { ...payment, environment: 'live' }],
    ['status', { ...payment, status: 'succeeded' }],
    ['failure', { ...payment, failure: { code: 'other', message: 'No.' } }],
    ['event id', withEntry(payment, 1, { event_id: newId('event') })],
    ['type', withEntry(payment, 2, { type: 'payment.succeeded' })],
    ['time', withEntry(payment, 2, { occurred_at: new Date(0) })],
    ['cause', withEntry(payment, 2, { cause: { type: 'member', id: newId('member') } })],
    ['request id', withEntry(payment, 2, { request_id: newId('request') })],
    ['seal', withEntry(payment, 2, { seal: `${at(payment, 2).seal}x` })],
    ['key version', withEntry(payment, 2, { seal: 'v1.9.AAAA' })],
    [
      'decision',
      { ...payment, settlement: { ...payment.settlement, decision: { ...decision, request_id: null } } },
    ],
  ];
  it.each(altered)('a sealed payment fails verification with another %s', (_what, change) => {
    expect(seals.verify(change)).toBe('altered');
  });

  const last = at(payment, 2);
  const rearranged: [what: string, history: HistoryEntry[]][] = [
    ['added', [...payment.history, { ...last, version: 4 }]],
    [
      'duplicated under a new event id',
      [...payment.history.slice(0, 2), last, { ...last, event_id: newId('event') }],
    ],
    ['removed', payment.history.slice(0, 2)],
    ['moved', [at(payment, 0), last, at(payment, 1)]],
    ['copied from another payment', [at(payment, 0), at(payment, 1), at(foreign, 2)]],
  ];
  it.each(rearranged)('a sealed payment fails verification with an entry %s', (_what, history) => {
    const counted = { ...payment, history, version: history.length };
    expect(seals.verify({ ...payment, history })).toBe('altered');
    expect(seals.verify(counted)).toBe('altered');
  });

  it.each([
    ['no history', { history: undefined }],
    ['an empty entry', { history: [null], version: 1 }],
    ['no settlement', { settlement: null }],
    ['a time that is a text', { created_at: '2026-01-01' }],
    ['a seal that is no text', { history: [{ ...at(payment, 0), seal: 1 }], version: 1, status: 'pending' }],
  ])('a sealed payment fails verification with %s', (_what, change) => {
    expect(seals.verify({ ...payment, ...change } as never)).toBe('malformed');
  });

  it('a sealed payment is verified after the key was rotated, while the earlier key is known', () => {
    const [old, next] = [newKey('1'), newKey('2')];
    const written = sealed(aFailedPayment(), createHistorySeals(parseKeyring(old)));
    const rotated = createHistorySeals(parseKeyring(`${next},${old}`));
    expect(rotated.verify(written)).toBeNull();
    const replaced = createHistorySeals(parseKeyring(next));
    expect(replaced.verify(written)).toBe('altered');
  });
});

it('a payment without seals fails verification', () => {
  expect(seals.verify(aFailedPayment())).toBe('unsealed');
});

it('a payment without seals fails verification because of some sealed entries', () => {
  const payment = sealed(aFailedPayment());
  const { seal: _, ...unsealed } = at(payment, 1);
  const mixed = { ...payment, history: [at(payment, 0), unsealed, at(payment, 2)] };
  expect(seals.verify(mixed)).toBe('unsealed');
});
