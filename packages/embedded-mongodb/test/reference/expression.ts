import { isNullish } from './arithmetic.ts';
import { exactly, isNumber, isZero } from './numbers.ts';
import type { Maybe } from './order.ts';

export function isTrue(value: Maybe): boolean {
  if (isNullish(value)) return false;
  if (typeof value === 'boolean') return value;
  return !(isNumber(value) && isZero(exactly(value)));
}
