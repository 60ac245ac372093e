import type { PaymentStatus } from '@tollgate/contracts/payments/payment';
import { newId } from '@tollgate/contracts/platform/ids';
import type { Connection } from 'mongoose';
import { newHistoryEntry, type PaymentDocument } from '../src/lifecycle/payment.ts';
import { aNewPayment } from './a-new-payment.ts';

/** More would block the embedded server for seconds on a busy machine. */
const INSERTED_AT_ONCE = 500;
const STATUSES: PaymentStatus[] = ['succeeded', 'failed', 'succeeded', 'canceled', 'succeeded'];
const CURRENCIES = ['EUR', 'USD', 'GBP', 'JPY'];
const PAYMENTS_OF_ONE_PAYER = 50;

/**
 * A team's settled sandbox payments at even intervals. Each value of a field recurs equally often, however long the
 * history is.
 */
export interface LongHistory {
  teamId: string;
  applicationIds: string[];
  size: number;
  newest: Date;
  msBetween: number;
}

export function aLongHistory(history: Pick<LongHistory, 'size' | 'newest' | 'msBetween'>): LongHistory {
  const applicationIds = Array.from({ length: 4 }, () => newId('application'));
  return { ...history, teamId: newId('team'), applicationIds };
}

export async function insertHistory(connection: Connection, history: LongHistory): Promise<void> {
  const collection = connection.collection<PaymentDocument>('payments');
  for (let first = 0; first < history.size; first += INSERTED_AT_ONCE) {
    const length = Math.min(INSERTED_AT_ONCE, history.size - first);
    const documents = Array.from({ length }, (_, at) => settledPayment(history, first + at));
    await collection.insertMany(documents, { ordered: false });
  }
}

export const referenceOf = (at: number) => `order-${at}`;
export const payerOf = (at: number) => `payer-${Math.floor(at / PAYMENTS_OF_ONE_PAYER)}@example.com`;
export const statusOf = (at: number) => STATUSES[at % STATUSES.length] as PaymentStatus;
export const currencyOf = (at: number) => CURRENCIES[at % CURRENCIES.length] as string;
export const createdAtOf = ({ newest, size, msBetween }: LongHistory, at: number) =>
  new Date(newest.getTime() - (size - 1 - at) * msBetween);
export const applicationOf = ({ applicationIds }: LongHistory, at: number) =>
  applicationIds[Math.floor(at / 7) % applicationIds.length] as string;

/** The payment at an index of the history, oldest first. */
function settledPayment(history: LongHistory, at: number): PaymentDocument {
  const createdAt = createdAtOf(history, at);
  const status = statusOf(at);
  const payment = aNewPayment({
    team_id: history.teamId,
    application_id: applicationOf(history, at),
    amount: 100 + (at % 1_000),
    currency: currencyOf(at),
    purpose: `Order ${at}`,
    reference: referenceOf(at),
    payer: { name: `Payer ${at % 997}`, account: null, email: payerOf(at) },
    payment_method: 'pm_succeed',
    createdAt,
    dueAt: null,
  });
  const types =
    status === 'canceled'
      ? (['payment.canceled'] as const)
      : (['payment.processing', status === 'failed' ? 'payment.failed' : 'payment.succeeded'] as const);
  for (const type of types) {
    const cause = { type: 'processor', id: 'sandbox' } as const;
    const version = payment.history.length + 1;
    payment.history.push(newHistoryEntry({ type, version, occurredAt: createdAt, cause, requestId: null }));
  }
  for (const entry of payment.history) entry.published_at = createdAt;
  const failure = status === 'failed' ? { code: 'declined', message: 'The payment was declined.' } : null;
  return {
    ...payment,
    ...{ status, version: payment.history.length, failure },
    ...(status === 'succeeded' && { succeeded_at: createdAt }),
  };
}
