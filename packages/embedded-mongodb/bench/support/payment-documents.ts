import { ObjectId, serialize } from 'bson';

/** Every document of the measurements has about this many bytes of BSON. */
const DOCUMENT_BYTES = 600;
export const STATES = ['created', 'processing', 'succeeded', 'failed', 'cancelled'];
const ACCOUNTS = 1000;

/** The three indexes of every measurement, besides that of `_id`. */
export const INDEXES = [
  { key: { number: 1 }, name: 'number_1', unique: true },
  { key: { account: 1, createdAt: -1 }, name: 'account_1_createdAt_-1' },
  { key: { state: 1, createdAt: 1 }, name: 'state_1_createdAt_1' },
];

export const FIRST_CREATED_AT = Date.UTC(2026, 0, 1);
export const MS_BETWEEN = 1000;
let filling: string | undefined;

/** The n-th document: the same fields and size for all n. */
export function paymentDocument(n: number) {
  const document = {
    _id: new ObjectId(),
    number: n,
    account: `account-${String(n % ACCOUNTS).padStart(6, '0')}`,
    state: STATES[n % STATES.length] as string,
    createdAt: new Date(FIRST_CREATED_AT + n * MS_BETWEEN),
    amount: { value: 1000 + (n % 9000), currency: 'EUR' },
    tags: ['web', 'first'],
    text: filling ?? '',
  };
  if (filling === undefined) {
    filling = 'x'.repeat(DOCUMENT_BYTES - serialize(document).length);
    document.text = filling;
  }
  return document;
}
