import type { Tables } from '../support/tables.ts';
import { ARITHMETIC } from './arithmetic.ts';
import { ARRAY } from './array.ts';
import { COMPARISON } from './comparison.ts';
import { CONDITIONAL } from './conditional.ts';
import { DATE_ARITHMETIC } from './date-arithmetic.ts';
import { DATE_PARTS } from './date-parts.ts';
import { DATE_TO_STRING } from './date-to-string.ts';
import { ROUNDING } from './rounding.ts';
import { STRING } from './string.ts';
import { VALUE } from './value.ts';

/** The cases of every expression operator. */
export const EXPRESSION_TABLES: Tables<unknown> = {
  ...COMPARISON,
  ...CONDITIONAL,
  ...ARITHMETIC,
  ...ROUNDING,
  ...ARRAY,
  ...STRING,
  ...DATE_PARTS,
  ...DATE_TO_STRING,
  ...DATE_ARITHMETIC,
  ...VALUE,
};
