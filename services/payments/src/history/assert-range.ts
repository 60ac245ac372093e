import { Problem } from '@tollgate/contracts/platform/problem';
import type { Basis } from '../totals/roll-up.ts';

/** @throws Problem `invalid-request` for a range whose end comes before its start */
export function assertRange(
  field: 'amount' | Basis,
  start: number | undefined,
  end: number | undefined,
): void {
  if (start === undefined || end === undefined || start <= end) return;
  const [first, last] = field === 'amount' ? ['amount_min', 'amount_max'] : [`${field}_from`, `${field}_to`];
  throw new Problem('invalid-request', `${last} is less than ${first}.`, {
    errors: [{ pointer: `/${last}`, code: 'invalid', detail: `Must not be less than ${first}.` }],
  });
}
