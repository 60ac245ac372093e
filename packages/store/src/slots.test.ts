import { expect, test } from 'vitest';
import { insertInSlot } from './slots.ts';

const DUPLICATE = Object.assign(new Error('duplicate'), { code: 11000 });

/** A collection with a unique index of slots. */
function collection(slots: number[] = []) {
  return {
    slots,
    takenSlots: async () => [...slots],
    async insert(slot: number) {
      if (slots.includes(slot)) throw DUPLICATE;
      slots.push(slot);
    },
  };
}

test('insertInSlot never exceeds the maximum, however many insert at once', async () => {
  const stored = collection();
  const inserts = Array.from({ length: 30 }, () => insertInSlot({ max: 3, ...stored }));
  const results = await Promise.allSettled(inserts);
  expect(results.filter((result) => result.status === 'fulfilled' && result.value)).toHaveLength(3);
  expect(stored.slots.toSorted()).toEqual([1, 2, 3]);
});

test('insertInSlot uses a slot again that became free', async () => {
  const stored = collection([1, 3]);
  expect(await insertInSlot({ max: 3, ...stored })).toBe(true);
  expect(stored.slots.toSorted()).toEqual([1, 2, 3]);
});

test('insertInSlot inserts nothing above a maximum that is exceeded already', async () => {
  const stored = collection([1, 5, 9]);
  expect(await insertInSlot({ max: 3, ...stored })).toBe(false);
});

test('insertInSlot passes on a duplicate of another field', async () => {
  const insert = async () => {
    throw DUPLICATE;
  };
  await expect(insertInSlot({ max: 3, takenSlots: async () => [], insert })).rejects.toBe(DUPLICATE);
});
