import type { PaymentStatus, ProcessorStatus } from '@tollgate/contracts/payments/payment';
import { DATABASES } from '@tollgate/contracts/platform/databases';
import { DAY_MS } from '@tollgate/contracts/platform/durations';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { withStoredDocuments } from '@tollgate/test-kit/stored-documents';

export const COMPARED_PROCESSOR = 'acme';
export const COMPARED_DAY = '2026-01-31';

const ENDED_AT = new Date(`${COMPARED_DAY}T12:00:00Z`);
const COMPARED_AT = new Date(ENDED_AT.getTime() + DAY_MS);

/** Only a processor with an adapter has comparisons, and the shared platform has no adapter. */
export async function storeComparison(
  { mongodbUrl }: { mongodbUrl: string },
  { teamId = 'none', payments = 0 } = {},
): Promise<void> {
  const id = `${COMPARED_PROCESSOR}/${COMPARED_DAY}`;
  await withStoredDocuments(mongodbUrl, DATABASES.payments, (documents) =>
    documents.upsert('processor_comparisons', id, {
      $setOnInsert: {
        processor: COMPARED_PROCESSOR,
        day: COMPARED_DAY,
        started_at: COMPARED_AT,
        completed_at: COMPARED_AT,
        leased_until: COMPARED_AT,
        position: null,
      },
      $set: { [`compared.${teamId}/live`]: payments, [`compared.${teamId}/sandbox`]: payments },
    }),
  );
}

/** A difference as a comparison finds it. */
export async function storeDifference(
  { mongodbUrl }: { mongodbUrl: string },
  difference: {
    teamId: string;
    applicationId: string;
    environment: Environment;
    paymentId: string;
    amount?: number;
    status?: PaymentStatus;
    reported?: ProcessorStatus | null;
    /** What the processor says about the money. */
    money?: { amount: number; currency: string; refunded_amount: number; disputed_amount: number };
    error?: string | null;
  },
): Promise<void> {
  const { status = 'canceled', reported = 'succeeded', money = {}, error = null } = difference;
  await withStoredDocuments(mongodbUrl, DATABASES.payments, (documents) =>
    documents.insert('payment_differences', {
      _id: difference.paymentId,
      team_id: difference.teamId,
      application_id: difference.applicationId,
      environment: difference.environment,
      processor: COMPARED_PROCESSOR,
      amount: difference.amount ?? 100,
      currency: 'EUR',
      status,
      ended_at: ENDED_AT,
      day: COMPARED_DAY,
      // Nobody asks the processor again.
      ask_at: new Date('2100-01-01T00:00:00Z'),
      reply: { at: COMPARED_AT, status: reported, error, ...money },
      outbox: [],
    }),
  );
}

/** Refunds and disputes of a payment, as a comparison stores them. */
export async function storeReversals(
  { mongodbUrl }: { mongodbUrl: string },
  paymentId: string,
  reversals: readonly { at: Date; type: 'refund' | 'dispute'; amount: number; currency: string }[],
): Promise<void> {
  await withStoredDocuments(mongodbUrl, DATABASES.payments, (documents) =>
    documents.upsert('payments', paymentId, { $set: { reversals } }),
  );
}
