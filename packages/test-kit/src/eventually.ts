import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits until a condition holds, asking every few milliseconds.
 * @throws Error that names the condition, once the time is up
 */
export async function eventually(
  what: string,
  holds: () => boolean | Promise<boolean>,
  { timeoutMs = 10_000, intervalMs = 20 } = {},
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`Not so within ${timeoutMs} ms: ${what}.`);
    await delay(intervalMs);
  }
}
