import { randomInt } from 'node:crypto';
import { isDuplicateKey } from './duplicate-key.ts';

/** Free slots are chosen at random, so even many concurrent creations rarely collide this often in a row. */
const MAX_ATTEMPTS = 8;

/** Resources of which a team can have a limited number. */
export interface Slots {
  /** How many there can be. */
  max: number;
  /** The slot of each resource that exists. */
  takenSlots(): Promise<number[]>;
  /** Inserts the resource. Fails with a duplicate key if the slot has been taken: a unique index of team and slot. */
  insert(slot: number): Promise<unknown>;
}

/**
 * Inserts a resource into a free slot. False when there is none. A count before the insert would let concurrent creations
 * exceed the limit. A team that has more resources than a limit that was lowered keeps them.
 */
export async function insertInSlot({ max, takenSlots, insert }: Slots): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    const free = freeSlots(await takenSlots(), max);
    if (free.length === 0) return false;
    try {
      await insert(free[randomInt(free.length)] as number);
      return true;
    } catch (error) {
      // The duplicate may also be the id, which createOnce handles: a repeated insert fails with it again.
      if (!isDuplicateKey(error) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/** The lowest free ones, as many as there is room for: concurrent creations see the same ones and compete for them. */
function freeSlots(taken: readonly number[], max: number): number[] {
  const slots = new Set(taken);
  const free = Array.from({ length: max }, (_, index) => index + 1).filter((slot) => !slots.has(slot));
  return free.slice(0, Math.max(0, max - taken.length));
}
