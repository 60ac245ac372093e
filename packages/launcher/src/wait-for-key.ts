import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '@tollgate/contracts/ids';

const TIMEOUT_MS = 10_000;
const POLL_MS = 25;

/**
 * Waits until the gateway knows a key: it receives a new one with a short delay, and the printed command must work
 * immediately. Requests a payment that cannot exist.
 * @returns false if the key was revoked
 */
export async function waitForKey(baseUrl: string, apiKey: string, signal: AbortSignal): Promise<boolean> {
  const deadline = performance.now() + TIMEOUT_MS;
  while (performance.now() < deadline && !signal.aborted) {
    const status = await requestPayment(baseUrl, apiKey);
    if (status === 404) return true;
    await delay(POLL_MS);
  }
  return false;
}

async function requestPayment(baseUrl: string, apiKey: string): Promise<number | null> {
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
