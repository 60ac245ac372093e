import { MollieApiError, type Page, type Payment } from '@mollie/api-client';
import { MINUTE_MS } from '@tollgate/contracts/platform/durations';
import type { ProcessorPayment } from '@tollgate/processor-adapter/contract/payment-state';
import type { MollieConnection } from './mollie-client.ts';
import { readMandate } from './payment-method.ts';

/** The largest page that Mollie allows. */
const PAGE_SIZE = 250;

/** Mollie's clock may be behind the one of the adapter. */
const CLOCK_DIFFERENCE_MS = 10 * MINUTE_MS;

/**
 * Looks through Mollie's payments, from the newest to the earliest possible start, for the one that was created for this
 * payment. Null if there is none.
 */
export async function findPayment(
  mollie: MollieConnection,
  payment: ProcessorPayment,
  sinceMs: number,
): Promise<Payment | null> {
  const oldestMs = sinceMs - CLOCK_DIFFERENCE_MS;
  let page: Page<Payment> | undefined = await firstPage(mollie, payment);
  while (page) {
    for (const candidate of page) {
      if (isFor(candidate, payment)) return candidate;
      if (Date.parse(candidate.createdAt) < oldestMs) return null;
    }
    page = await page.nextPage?.();
  }
  return null;
}

export function isFor(candidate: Payment, payment: ProcessorPayment): boolean {
  const metadata = candidate.metadata as { payment_id?: unknown } | null | undefined;
  return metadata?.payment_id === payment.id;
}

/** A customer has few payments, an account many. Those of a customer that was deleted are in the list of the account only. */
async function firstPage(mollie: MollieConnection, payment: ProcessorPayment): Promise<Page<Payment>> {
  const mandate = readMandate(payment.payment_method ?? '');
  if (mandate) {
    try {
      return await mollie.customerPayments.page({ customerId: mandate.customerId, limit: PAGE_SIZE });
    } catch (error) {
      if (!(error instanceof MollieApiError && [404, 410].includes(error.statusCode ?? 0))) throw error;
    }
  }
  return await mollie.payments.page({ limit: PAGE_SIZE });
}
