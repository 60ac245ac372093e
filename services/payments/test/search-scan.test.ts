import { PAYMENT_STATUSES } from '@tollgate/contracts/payments/payment';
import { newId } from '@tollgate/contracts/platform/ids';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ListRequest, listPayments, MAX_KEYS_EXAMINED } from '../src/history/list-payments.ts';
import type { PaymentDocument } from '../src/lifecycle/payment.ts';
import { aNewPayment } from './a-new-payment.ts';
import { idsInOrder, matches, type ScannedPayment, searchedTexts } from './full-scan.ts';
import { aMember, type PaymentsUnderTest, startPaymentsUnderTest } from './payments-under-test.ts';

/** The long form, `npm run test:long`, searches 1,000,000 payments 1,000 times. */
const PAYMENTS = Number(process.env['SEARCH_PAYMENTS'] ?? 500);
const SEARCHES = Number(process.env['SEARCHES'] ?? 100);
const INSERTED_AT_ONCE = 500;
const PAGE_SIZE = 25;
/** If a search has more pages, only the first ones are compared. */
const MAX_PAGES = 10;
/** Some ranges of values have more payments than a page may examine. */
const MAX_KEYS = Math.min(MAX_KEYS_EXAMINED, PAYMENTS / 2);
const MAX_MS_PER_PAYMENT = 10;
const TIMEOUT_MS = 120_000 + PAYMENTS * MAX_MS_PER_PAYMENT;

const FIRST_NAMES = ['Ada', 'Zoë', 'Grace', 'Łukasz', 'José', 'Anna', 'Ánna', 'Chen', 'Olga', 'Björn'];
const LAST_NAMES = ['Lovelace', 'Hopper', 'Ångström', 'van der Berg', 'O’Neill', 'Müller', 'Li', 'Garcia'];
const STATUSES = ['succeeded', 'failed', 'canceled'] as const;

let payments: PaymentsUnderTest;
const teamId = newId('team');
const stored: { payment: ScannedPayment; texts: string[] }[] = [];

beforeAll(async () => {
  payments = await startPaymentsUnderTest();
  const collection = payments.connection.collection<PaymentDocument>('payments');
  for (let first = 0; first < PAYMENTS; first += INSERTED_AT_ONCE) {
    const length = Math.min(INSERTED_AT_ONCE, PAYMENTS - first);
    const documents = Array.from({ length }, (_, at) => paymentAt(first + at));
    await collection.insertMany(documents, { ordered: false });
    stored.push(
      ...documents.map((payment) => ({ payment: scanned(payment), texts: searchedTexts(payment) })),
    );
  }
}, TIMEOUT_MS);
afterAll(() => payments.stop());

function paymentAt(at: number): PaymentDocument {
  const first = FIRST_NAMES[at % FIRST_NAMES.length] as string;
  const last = LAST_NAMES[Math.floor(at / 7) % LAST_NAMES.length] as string;
  const status = STATUSES[at % STATUSES.length] ?? 'succeeded';
  const payment = aNewPayment({
    team_id: teamId,
    amount: 100 + ((at * 37) % 1_000_000),
    currency: at % 4 === 0 ? 'USD' : 'EUR',
    reference: at % 3 === 0 ? `INV-2026/${at} ${last}` : `order-${at}`,
    payer: {
      name: at % 5 === 0 ? null : `${first} ${last}`,
      account: `DE${String(at).padStart(20, '0')}`,
      email: `${first}.${at % 1_000}@Example.com`,
    },
    purpose: `Order ${at} of ${last}`,
    metadata: [{ key: 'cart', value: `cart-${at * 3}` }],
    createdAt: new Date(),
    dueAt: null,
  });
  return { ...payment, status };
}

function scanned({
  _id,
  environment,
  application_id,
  status,
  currency,
  amount,
  reference,
  purpose,
  payer,
  metadata,
  created_at,
}: PaymentDocument): ScannedPayment {
  const texts = { reference, purpose, payer, metadata };
  return { _id, environment, application_id, status, currency, amount, ...texts, created_at };
}

/** What a member types to find a payment, and how much of it. */
const KINDS: Record<string, (payment: ScannedPayment, length: number) => ListRequest> = {
  id: ({ _id }) => ({ search: _id }),
  'beginning of the id': ({ _id }, length) => ({
    search: _id.slice(0, Math.max(-length - 1, 12 - _id.length)),
  }),
  reference: ({ reference }) => ({ search: String(reference) }),
  'beginning of the reference': ({ reference }, length) => ({
    search: String(reference).slice(0, length + 3),
  }),
  'name of the payer': ({ payer }) => ({ search: payer?.name?.toUpperCase() ?? 'nobody' }),
  'last name': ({ payer }) => ({ search: payer?.name?.split(' ').at(-1) ?? 'nobody' }),
  'email of the payer': ({ payer }) => ({ search: String(payer?.email).toLowerCase() }),
  'name in the other order': ({ payer }) => ({
    search: payer?.name?.split(' ').reverse().join(' ') ?? 'nobody',
  }),
  'name without accents': ({ payer }) => ({
    search: payer?.name?.normalize('NFD').replace(/[\u0300-\u036f]/g, '') ?? 'nobody',
  }),
  'word and number': ({ purpose }) => ({ search: String(purpose).split(' ').slice(0, 2).join(' ') }),
  amount: ({ amount }) => ({ search: (amount / 100).toFixed(2) }),
  'amount and name': ({ amount, payer }) => ({
    search: `${payer?.name?.split(' ')[0] ?? ''} ${(amount / 100).toFixed(2).replace('.', ',')}`,
  }),
  'value of the metadata': ({ metadata }) => ({ search: metadata?.[0]?.value ?? '' }),
  'end of the id': ({ _id }) => ({ search: _id.slice(-6) }),
  'account of the payer in groups': ({ payer }) => ({
    search: String(payer?.account?.replace(/.{4}/g, '$& ')),
  }),
  'account of the payer': ({ payer }) => ({ search: String(payer?.account) }),
  'reference in a status': ({ reference }, length) => ({
    search: String(reference).slice(0, length + 5),
    status: PAYMENT_STATUSES[length % PAYMENT_STATUSES.length] ?? 'succeeded',
  }),
  'range of amounts': ({ amount, currency }, length) => ({
    currency,
    amount_min: amount,
    amount_max: amount + length * 10,
  }),
};

async function pagesOf(
  filters: ListRequest,
): Promise<{ ids: string[]; isWhole: boolean; firstPageMs: number }> {
  const ids: string[] = [];
  let cursor: string | null = null;
  let firstPageMs = 0;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const startedAtMs = performance.now();
    const page: Awaited<ReturnType<typeof listPayments>> = await listPayments(
      { history: payments.app.history, maxKeysExamined: MAX_KEYS },
      aMember(teamId),
      { ...filters, limit: PAGE_SIZE, ...(cursor !== null && { cursor }) },
    );
    if (pages === 0) firstPageMs = performance.now() - startedAtMs;
    ids.push(...page.data.map(({ id }) => id));
    cursor = page.next_cursor;
    if (cursor === null) return { ids, isWhole: true, firstPageMs };
  }
  return { ids, isWhole: false, firstPageMs };
}

test(
  `${SEARCHES} random searches of ${PAYMENTS} payments find what a full scan finds, in its order`,
  async () => {
    const searches = fc.sample(
      fc.record({
        kind: fc.constantFrom(...Object.keys(KINDS)),
        at: fc.integer({ min: 0, max: PAYMENTS - 1 }),
        length: fc.integer({ min: 1, max: 12 }),
      }),
      { numRuns: SEARCHES, seed: 1 },
    );
    const times = new Map<string, number[]>();
    for (const { kind, at, length } of searches) {
      const sought = stored[at] as (typeof stored)[0];
      const filters = KINDS[kind]?.(sought.payment, length) ?? {};
      const { ids, isWhole, firstPageMs } = await pagesOf(filters);
      const scan = stored.filter(({ payment, texts }) => matches(payment, filters, texts));
      const wanted = idsInOrder(scan.map(({ payment }) => payment));
      expect({ filters, ids }).toEqual({ filters, ids: isWhole ? wanted : wanted.slice(0, ids.length) });
      times.set(kind, [...(times.get(kind) ?? []), firstPageMs]);
    }
    for (const [kind, all] of times) process.stdout.write(`${latencyRow(kind, all)}\n`);
  },
  TIMEOUT_MS,
);

function latencyRow(kind: string, times: number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] as number).toFixed(1);
  return `measured: ${kind}: ${sorted.length} searches, p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, max ${at(1)} ms`;
}
