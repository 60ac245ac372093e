import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPace, SLOW_MS } from './pace.ts';
import { createTurnOrder } from './turn-order.ts';

const LIMITS = { total: 8, perEndpoint: 5, notQuick: 2 };
const allQuick = { isQuick: () => true, isKnown: () => true };

describe('the order of turns', () => {
  it('gives every endpoint in line one slot before any has a second', () => {
    const order = createTurnOrder(LIMITS, allQuick);
    for (const id of ['a', 'b', 'c']) order.add(id);
    const served: (string | null)[] = [];
    for (let turn = 0; turn < 6; turn += 1) {
      const id = order.next();
      served.push(id);
      if (id !== null) order.add(id);
    }
    expect(served).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
  });

  it('gives one endpoint five slots at most, and all together no more than there are', () => {
    const order = createTurnOrder(LIMITS, allQuick);
    const drain = (id: string) => {
      let count = 0;
      for (order.add(id); order.next() !== null; order.add(id)) count += 1;
      return count;
    };
    expect([drain('a'), drain('b')]).toEqual([5, 3]);
  });

  it('foresees of what is to come exactly what has a slot at once', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'b', 'new', 'slow')),
        fc.array(fc.constantFrom('a', 'b', 'new', 'slow')),
        (before, coming) => {
          const order = createTurnOrder(LIMITS, {
            isQuick: (id) => id === 'a' || id === 'b',
            isKnown: (id) => id !== 'new',
          });
          const serve = (id: string) => {
            order.add(id);
            return order.next() === id;
          };
          before.forEach(serve);
          const hasSlot = order.foresee();
          const foreseen = coming.filter(hasSlot);
          expect(foreseen.every(serve)).toBe(true);
          const isRefused = (id: string) => !hasSlot(id);
          if (foreseen.length < coming.length)
            expect(coming.some((id) => isRefused(id) && !serve(id))).toBe(true);
        },
      ),
    );
  });

  it('gives an endpoint that was never tried one slot', () => {
    const order = createTurnOrder(LIMITS, createPaceView(0));
    order.add('new');
    expect(order.next()).toBe('new');
    order.add('new');
    expect(order.next()).toBeNull();
  });

  it('over any history holds all three limits, and leaves no slot empty that somebody in line may have', () => {
    const slow = (id: string) => Number(id) % 3 === 0;
    const pace = { isQuick: (id: string) => !slow(id), isKnown: () => true };
    const action = fc.record({ kind: fc.constantFrom('add', 'next', 'done'), id: fc.nat(11) });
    fc.assert(
      fc.property(fc.array(action, { maxLength: 300 }), (actions) => {
        const order = createTurnOrder(LIMITS, pace);
        const running: string[] = [];
        const countOf = (test: (id: string) => boolean) => running.filter(test).length;
        for (const { kind, id } of actions) {
          if (kind === 'add') order.add(String(id));
          if (kind === 'done' && running.length > 0)
            order.done(running.splice(id % running.length, 1)[0] as string);
          if (kind !== 'next') continue;
          const next = order.next();
          if (next !== null) running.push(next);
          else if (running.length < LIMITS.total) {
            const couldHave = Array.from({ length: 12 }, (_, index) => String(index)).filter(
              (candidate) =>
                order.isWaiting(candidate) &&
                countOf((other) => other === candidate) < LIMITS.perEndpoint &&
                (!slow(candidate) || countOf(slow) < LIMITS.notQuick),
            );
            expect(couldHave).toEqual([]);
          }
          expect(running.length).toBeLessThanOrEqual(LIMITS.total);
          expect(countOf(slow)).toBeLessThanOrEqual(LIMITS.notQuick);
          for (const one of running)
            expect(countOf((other) => other === one)).toBeLessThanOrEqual(LIMITS.perEndpoint);
          expect(order.inFlight()).toBe(running.length);
        }
      }),
    );
  });
});

describe('the pace of an endpoint', () => {
  it('is quick after a quick answer, and not while an attempt runs for long or after a slow one', () => {
    const pace = createPace();
    expect([pace.isKnown('a'), pace.isQuick('a', 0)]).toEqual([false, false]);
    pace.start('a', 0)(50);
    expect([pace.isKnown('a'), pace.isQuick('a', 50)]).toEqual([true, true]);
    const end = pace.start('a', 100);
    expect(pace.isQuick('a', 100 + SLOW_MS)).toBe(true);
    expect(pace.isQuick('a', 101 + SLOW_MS)).toBe(false);
    end(15_000);
    expect(pace.isQuick('a', 15_000)).toBe(false);
    pace.start('a', 20_000)(20_010);
    expect(pace.isQuick('a', 20_010)).toBe(true);
  });
});

function createPaceView(now: number) {
  const pace = createPace();
  return { isQuick: (id: string) => pace.isQuick(id, now), isKnown: (id: string) => pace.isKnown(id) };
}
