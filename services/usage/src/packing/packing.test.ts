import { BUCKET_COUNT, type HistogramPairs } from '@tollgate/contracts/usage/log-linear-histogram';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  emptyLatency,
  kindOf,
  latencyPairs,
  operationOf,
  outcomeOf,
  type PackedRow,
  packRows,
  visitRows,
} from './packed-rows.ts';
import { packSlots, unpackSlots } from './packed-slots.ts';
import { VarintReader, VarintWriter } from './varint.ts';

const number = fc.oneof(fc.nat(300), fc.nat(), fc.maxSafeNat());
const latency: fc.Arbitrary<HistogramPairs> = fc
  .dictionary(fc.nat(BUCKET_COUNT - 1).map(String), fc.integer({ min: 1 }), { maxKeys: 40 })
  .map((byBucket) =>
    Object.entries(byBucket)
      .map(([bucket, count]): [number, number] => [Number(bucket), count])
      .sort(([a], [b]) => a - b),
  );
const row: fc.Arbitrary<PackedRow> = fc.record({
  key: fc.nat(1_000),
  kind: fc.nat(63),
  requests: number,
  latency,
});

function unpackRows(packed: Uint8Array): PackedRow[] {
  const rows: (Omit<PackedRow, 'latency'> & { counts: ReturnType<typeof emptyLatency> })[] = [];
  visitRows(packed, (key, kind, requests) => {
    const counts = emptyLatency();
    rows.push({ key, kind, requests, counts });
    return counts;
  });
  return rows.map(({ counts, ...fields }) => ({ ...fields, latency: latencyPairs(counts) }));
}

it('packed usage is unpacked to the numbers that were packed', () => {
  fc.assert(
    fc.property(fc.array(number), (numbers) => {
      const writer = new VarintWriter();
      for (const value of numbers) writer.write(value);
      const reader = new VarintReader(writer.toBytes());
      expect(numbers.map(() => reader.read())).toEqual(numbers);
      expect(reader.isAtEnd()).toBe(true);
    }),
  );
});

it('packed usage is unpacked to the rows that were packed', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 20 }), (rows) => {
      expect(unpackRows(packRows(rows))).toEqual(rows);
    }),
  );
});

it('packed usage is unpacked to the slots that were packed', () => {
  const slots = fc.array(fc.tuple(fc.nat(59), fc.record({ windows: number, rows: fc.uint8Array() })));
  fc.assert(
    fc.property(slots, (entries) => {
      const wanted = new Map(entries);
      const read = unpackSlots(packSlots(wanted));
      expect([...read].map(([place, { windows, rows }]) => [place, windows, [...rows]])).toEqual(
        [...wanted]
          .sort(([a], [b]) => a - b)
          .map(([place, { windows, rows }]) => [place, windows, [...rows]]),
      );
    }),
  );
});

it('packed usage that is cut off within a number is rejected, not misread', () => {
  const packed = packRows([{ key: 1, kind: 2, requests: 1_000, latency: [[700, 1_000]] }]);
  for (let length = 1; length < packed.length; length++)
    expect(() => unpackRows(packed.slice(0, length))).toThrow(RangeError);
});

it('packed usage distinguishes operation and outcome', () => {
  fc.assert(
    fc.property(fc.nat(15), fc.nat(15), (operation, outcome) => {
      const kind = kindOf(operation, outcome);
      expect([operationOf(kind), outcomeOf(kind)]).toEqual([operation, outcome]);
    }),
  );
});
