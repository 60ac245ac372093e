import type { Logger } from '@tollgate/runtime/logger';
import type { PaymentStore } from '../store/payment-store.ts';

const PAYMENTS_AT_ONCE = 500;

/**
 * Makes payments of an earlier release searchable. Instances of that release create more of them during an upgrade and
 * after a rollback, so it runs again and again. Any number of instances can run it.
 */
export async function addSearchKeys({
  store,
  logger,
  stopping,
}: {
  store: Pick<PaymentStore, 'addSearchKeys'>;
  logger: Logger;
  stopping: AbortSignal;
}): Promise<void> {
  let count = 0;
  for (let found = PAYMENTS_AT_ONCE; found === PAYMENTS_AT_ONCE && !stopping.aborted; ) {
    found = await store.addSearchKeys(PAYMENTS_AT_ONCE);
    count += found;
  }
  if (count > 0) logger.info({ count }, 'added payments of an earlier release to the search');
}
