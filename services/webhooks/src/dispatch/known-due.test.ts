import { describe, expect, it } from 'vitest';
import type { Delivery } from '../deliveries/delivery.ts';
import { createKnownDue } from './known-due.ts';

const ENDPOINT = 'whe_1';
const delivery = (id: string) => ({ id, endpointId: ENDPOINT }) as Delivery;

/** With a store that `stored` stands for. */
function knownDue(stored: Delivery[] = []) {
  const reads: PromiseWithResolvers<void>[] = [];
  let isHeld = false;
  const known = createKnownDue(async (_endpointId, limit) => {
    const found = stored.slice(0, limit);
    const read = Promise.withResolvers<void>();
    reads.push(read);
    if (!isHeld) read.resolve();
    await read.promise;
    return found;
  });
  const next = async () => (await known.next(ENDPOINT))?.id ?? null;
  return {
    known,
    next,
    reads,
    holdReads: () => {
      isHeld = true;
    },
    letReadsGo: () => {
      isHeld = false;
      for (const { resolve } of reads) resolve();
    },
  };
}

describe('what is known to be due', () => {
  it('comes in the order it was stored, without a read', async () => {
    const { known, next, reads } = knownDue();
    known.add(delivery('first'));
    known.add(delivery('second'));
    expect([await next(), await next(), await next()]).toEqual(['first', 'second', null]);
    expect(reads).toHaveLength(0);
    expect(known.mayHaveMore(ENDPOINT)).toBe(false);
  });

  it('is read when there is no telling, and what was claimed when it was new goes before it', async () => {
    const { known, next } = knownDue([delivery('old'), delivery('new')]);
    known.add(delivery('new'));
    known.lookFor(ENDPOINT);
    known.addClaimed(delivery('claimed'));
    expect([await next(), await next(), await next(), await next()]).toEqual(['claimed', 'old', 'new', null]);
  });

  it('is a few at a time, and the others are read after them', async () => {
    const stored = Array.from({ length: 60 }, (_, index) => delivery(String(index)));
    const { known, next, reads } = knownDue(stored);
    for (const one of stored) known.add(one);
    const got: (string | null)[] = [];
    for (let count = 0; count < 60; count += 1) {
      got.push(await next());
      // As a claim does.
      stored.splice(
        stored.findIndex(({ id }) => id === got.at(-1)),
        1,
      );
    }
    expect(got).toEqual(Array.from({ length: 60 }, (_, index) => String(index)));
    expect(reads.length).toBeLessThanOrEqual(2);
    expect(await next()).toBeNull();
  });

  it('misses nothing that is stored while it is read', async () => {
    const stored = [delivery('before')];
    const { known, next, holdReads, letReadsGo } = knownDue(stored);
    holdReads();
    known.lookFor(ENDPOINT);
    const first = next();
    stored.splice(0, 1, delivery('meanwhile'));
    known.add(delivery('meanwhile'));
    letReadsGo();
    expect(await first).toBe('before');
    expect(known.mayHaveMore(ENDPOINT)).toBe(true);
    expect(await next()).toBe('meanwhile');
  });
});
