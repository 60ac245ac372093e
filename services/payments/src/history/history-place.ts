/** Position of a payment in a history, which is ordered by creation time, then by id. */
export interface Place {
  createdAt: Date;
  id: string;
}

/** Before and after every possible payment: the first and last time of ECMA-262 §21.4.1.1. */
export const FIRST_PLACE: Place = { createdAt: new Date(-8.64e15), id: '' };
export const LAST_PLACE: Place = { createdAt: new Date(8.64e15), id: '' };

export function placeOf(payment: { created_at: Date; _id: string }): Place {
  return { createdAt: payment.created_at, id: payment._id };
}

/** The first place at a time: before every payment of that millisecond. */
export function startOf(createdAt: Date): Place {
  return { createdAt, id: '' };
}

/** The place directly after another: no string sorts between an id and that id followed by a NUL. */
export function rightBehind({ createdAt, id }: Place): Place {
  return { createdAt, id: `${id}\0` };
}

/** Negative when `a` is older than `b`. */
export function comparePlaces(a: Place, b: Place): number {
  const ms = a.createdAt.getTime() - b.createdAt.getTime();
  if (ms !== 0 || a.id === b.id) return ms;
  return a.id < b.id ? -1 : 1;
}

/** Negative when a list that goes in the direction has `a` first. */
export function compareInDirection(direction: 'older' | 'newer', a: Place, b: Place): number {
  return direction === 'older' ? comparePlaces(b, a) : comparePlaces(a, b);
}
