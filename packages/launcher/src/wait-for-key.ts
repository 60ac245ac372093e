import { setTimeout as delay } from 'node:timers/promises';
import { parseApiKey } from '@tollgate/security/api-key';

const TIMEOUT_MS = 10_000;
const POLL_MS = 25;

/**
 * Waits until the gateway accepts a key: it receives a new one with a short delay, and the printed command must work
 * immediately. Asks the ops listener, because a request to the API would count as usage.
 * @returns false if the gateway does not accept it
 */
export async function waitForKey(opsUrl: string, apiKey: string, signal: AbortSignal): Promise<boolean> {
  const lookupId = parseApiKey(apiKey)?.lookupId ?? '';
  const deadline = performance.now() + TIMEOUT_MS;
  while (performance.now() < deadline && !signal.aborted) {
    if (await isAccepted(`${opsUrl}/api-keys/${lookupId}`)) return true;
    await delay(POLL_MS);
  }
  return false;
}

async function isAccepted(url: string): Promise<boolean> {
  try {
    const response = await fetch(url);
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
