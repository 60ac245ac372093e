import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '@tollgate/contracts/ids';

const TIMEOUT_MS = 10_000;
const POLL_MS = 25;

/**
 * Waits until the gateway knows a key: it learns of a new one a moment after it was made, and what is printed for pasting
 * must work at once. Asks for a payment that cannot exist.
 * @returns whether it does; false for a key that has been revoked since
 */
export async function keyWorks(baseUrl: string, apiKey: string, signal: AbortSignal): Promise<boolean> {
  const deadline = performance.now() + TIMEOUT_MS;
  while (performance.now() < deadline && !signal.aborted) {
    const status = await askForPayment(baseUrl, apiKey);
    if (status === 404) return true;
    await delay(POLL_MS);
  }
  return false;
}

async function askForPayment(baseUrl: string, apiKey: string): Promise<number | null> {
  try {
    const response = await fetch(`${baseUrl}/v1/payments/${newId('payment')}`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    await response.body?.cancel();
    return response.status;
  } catch {
    return null;
  }
}
