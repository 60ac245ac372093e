import type { Clock } from '../../src/clock.ts';

/** A clock that does not wait: it notes the wait, and then it is later. */
export function virtualClock(): Clock & { waitsMs: number[] } {
  const waitsMs: number[] = [];
  let waitedMs = 0;
  return {
    waitsMs,
    nowMs: () => performance.now() + waitedMs,
    random: () => Math.random(),
    async sleep(ms) {
      waitsMs.push(ms);
      waitedMs += ms;
    },
  };
}
