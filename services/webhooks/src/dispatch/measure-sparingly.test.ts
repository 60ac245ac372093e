import { createFakeClock } from '@tollgate/test-kit/fake-clock';
import { expect, it } from 'vitest';
import { measureSparingly } from './measure-sparingly.ts';

const DURATION_MS = 100;

function aMeasurement() {
  const clock = createFakeClock(0);
  const running: PromiseWithResolvers<number>[] = [];
  const measure = measureSparingly(() => {
    const one = Promise.withResolvers<number>();
    running.push(one);
    return one.promise;
  }, clock.now);
  return { clock, running, measure };
}

it('`measureSparingly` shares a measurement that is running', async () => {
  const { running, measure } = aMeasurement();
  const both = Promise.all([measure(), measure()]);
  running[0]?.resolve(7);
  expect(await both).toEqual([7, 7]);
  expect(running).toHaveLength(1);
});

it('`measureSparingly` measures again when nine times its duration have passed', async () => {
  const { clock, running, measure } = aMeasurement();
  const first = measure();
  clock.advance(DURATION_MS);
  running[0]?.resolve(7);
  await first;
  clock.advance(9 * DURATION_MS - 1);
  expect(await measure()).toBe(7);
  clock.advance(1);
  void measure();
  expect(running).toHaveLength(2);
});

it('`measureSparingly` also waits after a measurement that failed', async () => {
  const { clock, running, measure } = aMeasurement();
  const first = measure();
  clock.advance(DURATION_MS);
  running[0]?.reject(new Error('The time limit was exceeded.'));
  await expect(first).rejects.toThrow('time limit');
  await expect(measure()).rejects.toThrow('time limit');
  clock.advance(9 * DURATION_MS);
  void measure();
  expect(running).toHaveLength(2);
});
