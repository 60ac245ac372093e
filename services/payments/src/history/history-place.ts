import type { Basis } from '../totals/roll-up.ts';

/** Position of a payment in a history, which is ordered by a time, then by id. */
export interface Place {
  /** When the payment was created; in a history by success, when it succeeded. */
  at: Date;
  id: string;
}

/** Before and after every possible payment: the first and last time of ECMA-262 §21.4.1.1. */
export const FIRST_PLACE: Place = { at: new Date(-8.64e15), id: '' };
export const LAST_PLACE: Place = { at: new Date(8.64e15), id: '' };

/** In a history by success, a payment that has not succeeded has the place of its creation. */
export function placeOf(
  payment: { created_at: Date; succeeded_at?: Date | null; _id: string },
  basis: Basis,
): Place {
  const at = basis === 'succeeded' ? payment.succeeded_at : null;
  return { at: at ?? payment.created_at, id: payment._id };
}

/** The first place at a time: before every payment of that millisecond. */
export function startOf(at: Date): Place {
  return { at, id: '' };
}

/** The place directly after another: no string sorts between an id and that id followed by a NUL. */
export function rightBehind({ at, id }: Place): Place {
  return { at, id: `${id}\0` };
}

/** Negative when `a` is older than `b`. */
export function comparePlaces(a: Place, b: Place): number {
  const ms = a.at.getTime() - b.at.getTime();
  if (ms !== 0 || a.id === b.id) return ms;
  return a.id < b.id ? -1 : 1;
}

/** Negative when a list that goes in the direction has `a` first. */
export function compareInDirection(direction: 'older' | 'newer', a: Place, b: Place): number {
  return direction === 'older' ? comparePlaces(b, a) : comparePlaces(a, b);
}

/** The end is exclusive. */
export function isWithin({ from, to }: { from: Place; to: Place }, place: Place): boolean {
  return comparePlaces(from, place) <= 0 && comparePlaces(place, to) < 0;
}
