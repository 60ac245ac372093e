import { newId } from '@tollgate/contracts/platform/ids';
import { expect, it } from 'vitest';
import { replayMissing } from './replay-missing.ts';

const request = { endpoint_id: newId('webhookEndpoint'), since: '2026-01-01T00:00:00.000Z' };

/** An admin API that returns this many pages of replies. */
function adminWith(requests: number) {
  const cursors = Array.from({ length: requests }, () => newId('event'));
  const asked: unknown[] = [];
  const call = async (_route: unknown, { cursor }: { cursor?: string }) => {
    asked.push(cursor);
    const at = cursor === undefined ? 0 : cursors.indexOf(cursor) + 1;
    return { deliveries: 5, next_cursor: at + 1 < requests ? cursors[at] : null };
  };
  return { admin: { call } as never, asked, cursors };
}

it('replaying missed events follows the cursor until it reaches the end', async () => {
  const { admin, asked, cursors } = adminWith(3);
  expect(await replayMissing(admin, request)).toEqual({ deliveries: 15, nextTime: null });
  expect(asked).toEqual([undefined, cursors[0], cursors[1]]);
});

it('replaying missed events stops after a number of requests, and returns the time at which to continue', async () => {
  const { admin, asked } = adminWith(100);
  const { deliveries, nextTime } = await replayMissing(admin, request);
  expect(deliveries).toBe(5 * asked.length);
  expect(asked.length).toBeLessThan(100);
  expect(Date.parse(nextTime as string)).toBeGreaterThan(Date.now() - 60_000);
});
