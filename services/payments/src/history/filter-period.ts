import type { Basis } from '../totals/roll-up.ts';
import { assertRange } from './assert-range.ts';
import { FIRST_PLACE, LAST_PLACE, type Place, startOf } from './history-place.ts';

const BOUNDS = ['created_from', 'created_to', 'succeeded_from', 'succeeded_to'] as const;

/** The bounds in a request. */
type Bounds = { [bound in (typeof BOUNDS)[number]]?: string };

/**
 * The period of the request by a time of payments. Null without a bound.
 *
 * @throws Problem `invalid-request` for a range whose end comes before its start
 */
export function periodOf(request: Bounds, basis: Basis): { from: Place; to: Place } | null {
  const [from, to] = [request[`${basis}_from`], request[`${basis}_to`]].map((time) =>
    time === undefined ? undefined : new Date(time),
  );
  if (!from && !to) return null;
  assertRange(basis, from?.getTime(), to?.getTime());
  return { from: from ? startOf(from) : FIRST_PLACE, to: to ? startOf(to) : LAST_PLACE };
}

/** The bounds as numbers: one moment has several texts. */
export function timesOf(request: Bounds): Record<string, number> {
  return Object.fromEntries(
    BOUNDS.flatMap((name) => {
      const time = request[name];
      return time === undefined ? [] : [[name, Date.parse(time)]];
    }),
  );
}
