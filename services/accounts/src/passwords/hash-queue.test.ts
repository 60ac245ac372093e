import { describe, expect, it } from 'vitest';
import { createHashQueue } from './hash-queue.ts';

/** Hashings that end when the test ends them. `started` lists them in the order of their start. */
function createHashings() {
  const started: string[] = [];
  const ends: (() => void)[] = [];
  return {
    started,
    hashing: (name: string) => () => {
      started.push(name);
      return new Promise<string>((resolve) => ends.push(() => resolve(name)));
    },
    async endOldest() {
      ends.shift()?.();
      await new Promise(setImmediate);
    },
  };
}

describe('hashings', () => {
  it('run a few at a time, however many are requested', async () => {
    const queue = createHashQueue({ slots: 2 });
    const { started, hashing, endOldest } = createHashings();
    const all = ['a', 'b', 'c', 'd'].map((name) => queue.run(name, hashing(name)));
    expect(started).toEqual(['a', 'b']);
    await endOldest();
    expect(started).toEqual(['a', 'b', 'd']);
    for (let left = 0; left < 3; left++) await endOldest();
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('hashings of a requester with a hundred delay another requester by no more than the one that is running', async () => {
    const queue = createHashQueue({ slots: 1 });
    const { started, hashing, endOldest } = createHashings();
    for (let count = 0; count < 100; count++) void queue.run('flood', hashing('flood'));
    void queue.run('member', hashing('member'));
    await endOldest();
    expect(started).toEqual(['flood', 'member']);
  });

  it('alternate between all waiting requesters', async () => {
    const queue = createHashQueue({ slots: 1 });
    const { started, hashing, endOldest } = createHashings();
    for (const name of ['first', 'a', 'a', 'a', 'b', 'b', 'c']) void queue.run(name, hashing(name));
    for (let left = 0; left < 6; left++) await endOldest();
    expect(started).toEqual(['first', 'c', 'b', 'a', 'b', 'a', 'a']);
  });

  it('hashings of a new requester run next, however many addresses already wait', async () => {
    const queue = createHashQueue({ slots: 1 });
    const { started, hashing, endOldest } = createHashings();
    for (let count = 0; count < 100; count++) void queue.run(`bot ${count}`, hashing('bot'));
    void queue.run('member', hashing('member'));
    await endOldest();
    expect(started).toEqual(['bot', 'member']);
  });

  it('hashings of a requester that always returns at once wait for requesters that arrived in the meantime', async () => {
    const queue = createHashQueue({ slots: 1 });
    const { started, hashing, endOldest } = createHashings();
    void queue.run('flood', hashing('flood'));
    void queue.run('member', hashing('member'));
    void queue.run('flood', hashing('flood again'));
    await endOldest();
    expect(started).toEqual(['flood', 'member']);
  });

  it("hashings of a requester whose last turn is older than any waiting request rank as a new requester's", async () => {
    let nowMs = 0;
    const queue = createHashQueue({ slots: 1, nowMs: () => nowMs });
    const { started, hashing, endOldest } = createHashings();
    void queue.run('member', hashing('member'));
    await endOldest();
    nowMs = 5_000;
    for (const name of ['bot', 'another bot', 'member']) void queue.run(name, hashing(name));
    await endOldest();
    expect(started).toEqual(['member', 'bot', 'member']);
  });

  it('hashings at the end of the queue are dropped when too many wait', async () => {
    const queue = createHashQueue({ slots: 1, maxWaiting: 2 });
    const { started, hashing, endOldest } = createHashings();
    const [, , second] = ['a', 'a', 'a'].map((name, index) => queue.run(name, hashing(`${name}${index}`)));
    const newcomer = queue.run('b', hashing('b'));
    await expect(second).rejects.toMatchObject({ details: { code: 'unavailable' } });
    for (let left = 0; left < 3; left++) await endOldest();
    expect(await newcomer).toBe('b');
    expect(started).toEqual(['a0', 'b', 'a1']);
  });

  it('hashings do not run for a caller whose request timed out', async () => {
    let nowMs = 0;
    const queue = createHashQueue({ slots: 1, nowMs: () => nowMs });
    const { started, hashing, endOldest } = createHashings();
    void queue.run('first', hashing('first'));
    const late = queue.run('late', hashing('late'));
    nowMs = 1;
    void queue.run('in time', hashing('in time'));
    nowMs = 5_000;
    await endOldest();
    await Promise.all([
      endOldest(),
      expect(late).rejects.toMatchObject({ details: { code: 'unavailable' } }),
    ]);
    expect(started).toEqual(['first', 'in time']);
  });

  it('hashings that fail release their slot', async () => {
    const queue = createHashQueue({ slots: 1 });
    const failing = queue.run('a', () => Promise.reject(new Error('out of memory')));
    const next = queue.run('b', () => Promise.resolve('done'));
    await expect(failing).rejects.toThrow('out of memory');
    expect(await next).toBe('done');
  });
});
