import { expect, onTestFinished, test } from 'vitest';
import { createReaderPool, type ReaderPool } from '../src/reading/reader-pool.ts';
import { rejection } from './support/server-under-test.ts';

const ENDING = new URL('./support/reader-that-ends.ts', import.meta.url);
const READ = new Uint8Array(5);

function poolOf(program: URL): ReaderPool {
  const pool = createReaderPool('unused', program);
  onTestFinished(() => pool.close());
  return pool;
}

test('when a thread ends, its read fails, its cursors are closed, and the next read gets another thread', async () => {
  const pool = poolOf(ENDING);
  expect(await pool.reader().run(READ)).toEqual(new Uint8Array([1]));
  expect(pool.holderOf('7')).toBeDefined();
  expect(pool.openCursors).toBe(1);

  expect((await rejection(pool.reader().run(READ))).message).toContain('has ended (out of memory)');
  expect(pool.holderOf('7')).toBeUndefined();
  expect(pool.openCursors).toBe(0);

  expect(await pool.reader().run(READ)).toEqual(new Uint8Array([1]));
});

test('a read runs on an idle thread; another one starts only if all are busy, up to three', async () => {
  const pool = poolOf(ENDING);
  const first = pool.reader();
  const reads = [first.run(READ)];
  const second = pool.reader();
  expect(second).not.toBe(first);
  reads.push(second.run(READ));
  reads.push(pool.reader().run(READ));
  expect(pool.reader()).toBe(first);
  await Promise.all(reads);
  expect(pool.reader()).toBe(first);
});
