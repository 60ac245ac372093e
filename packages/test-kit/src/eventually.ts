import { setTimeout as delay } from 'node:timers/promises';

/**
 * Polls a condition every few milliseconds until it is true.
 * @throws Error that names the condition after the timeout
 */
export async function eventually(
  what: string,
  holds: () => boolean | Promise<boolean>,
  { timeoutMs = 20_000, intervalMs = 20 } = {},
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`Timed out after ${timeoutMs} ms: ${what}.`);
    await delay(intervalMs);
  }
}
