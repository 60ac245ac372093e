import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Context } from '../context.ts';

/** Leaves time for a reply within the RPC deadline of 5 s. */
const PROJECTION_TIMEOUT_MS = 3_000;

/**
 * Resolves when the bucket that gateways mirror holds the stored state of these entries. Otherwise throws
 * `unavailable`: a caller that restricts access must not get a success too early. The change itself is stored,
 * repeating the request is harmless, and the reconciliation projects it as soon as NATS is available.
 */
export async function publishPrincipals(context: Context, entryKeys: string[]): Promise<void> {
  if (await isProjected(context, entryKeys)) return;
  throw new Problem(
    'unavailable',
    'The change is stored, but it has not reached the gateways yet. It reaches them within seconds once NATS is reachable again. ' +
      'Retry the request to make sure.',
    { retryAfterS: 1 },
  );
}

/**
 * Like `publishPrincipals`, but leaves a failure to the reconciliation: for replies with a secret that is shown only once,
 * which an error would lose. Until the entry arrives, gateways reject the new key.
 */
export async function publishPrincipalsOrDefer(context: Context, entryKeys: string[]): Promise<void> {
  await isProjected(context, entryKeys);
}

async function isProjected(context: Context, entryKeys: string[]): Promise<boolean> {
  const { projection, reconciler, logger } = context;
  const timeout = new AbortController();
  try {
    await Promise.race([
      projection.projectChange(entryKeys),
      delay(PROJECTION_TIMEOUT_MS, undefined, { signal: timeout.signal }).then(() => {
        throw new Error(`NATS did not store the principals within ${PROJECTION_TIMEOUT_MS} ms`);
      }),
    ]);
    return true;
  } catch (error) {
    logger.warn(
      { err: error },
      'failed to publish a change of principals; the next reconciliation will retry',
    );
    reconciler.reconcileSoon();
    return false;
  } finally {
    timeout.abort();
  }
}
