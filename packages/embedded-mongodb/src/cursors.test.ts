import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { codeOf } from '../test/shorthand.ts';
import { passRecord, withTimeLimit } from './computation-limit.ts';
import { type CursorRegistry, createCursorRegistry } from './cursors.ts';

const TEN_MINUTES_MS = 10 * 60_000;
const SWEEP_MS = 30_000;
const NAMESPACE = 'test.things';

let cursors: CursorRegistry;
let closed: string[];

beforeEach(() => {
  vi.useFakeTimers();
  closed = [];
  cursors = createCursorRegistry({ onClosed: (id) => closed.push(id.toString()) });
});

afterEach(() => {
  cursors.close();
  vi.useRealTimers();
});

function open(options: { noTimeout?: boolean } = {}) {
  const documents = Array.from({ length: 10 }, () => new Uint8Array(5)).values();
  return cursors.open({ namespace: NAMESPACE, documents, batchSize: 2, ...options }).cursorId;
}

test('a cursor that is idle for ten minutes is closed and not found afterwards', () => {
  const id = open();
  vi.advanceTimersByTime(TEN_MINUTES_MS + SWEEP_MS + 1);
  expect(cursors.openCount).toBe(0);
  expect(closed).toEqual([id.toString()]);
  expect(() => cursors.next(id, NAMESPACE, 1)).toThrow('not found');
});

test('a cursor that is used in time stays open, as does a cursor without a timeout', () => {
  const asked = open();
  const lasting = open({ noTimeout: true });
  vi.advanceTimersByTime(TEN_MINUTES_MS - 1);
  cursors.next(asked, NAMESPACE, 1);
  vi.advanceTimersByTime(TEN_MINUTES_MS - 1);
  expect(cursors.next(asked, NAMESPACE, 1).documents).toHaveLength(1);
  expect(cursors.next(lasting, NAMESPACE, 1).documents).toHaveLength(1);
});

test('a cursor cannot be read through another collection', () => {
  const id = open();
  expect(() => cursors.next(id, 'test.others', 1)).toThrow('belongs to a different namespace');
});

test('maxTimeMS limits the total time for the batches of a cursor, without the time between them', () => {
  function* slowDocuments() {
    for (;;) {
      vi.advanceTimersByTime(30);
      passRecord(1_000_000);
      yield new Uint8Array(5);
    }
  }
  // Reads one more document than it returns.
  const open = () => cursors.open({ namespace: NAMESPACE, documents: slowDocuments(), batchSize: 1 });
  const { cursorId } = withTimeLimit(100, open);
  vi.advanceTimersByTime(1000);
  expect(cursors.next(cursorId, NAMESPACE, 1).documents).toHaveLength(1);
  vi.advanceTimersByTime(1000);
  expect(codeOf(() => cursors.next(cursorId, NAMESPACE, 1))).toBe(50);
  expect(cursors.openCount).toBe(0);
});
