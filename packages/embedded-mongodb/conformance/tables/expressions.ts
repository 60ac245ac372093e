import type { Tables } from '../support/tables.ts';
import { ARITHMETIC } from './arithmetic.ts';
import { COMPARISON } from './comparison.ts';
import { CONDITIONAL } from './conditional.ts';
import { DATE_TRUNC } from './date-trunc.ts';
import { VALUE } from './value.ts';

/** The cases of every expression operator. */
export const EXPRESSION_TABLES: Tables<unknown> = {
  ...COMPARISON,
  ...CONDITIONAL,
  ...ARITHMETIC,
  ...DATE_TRUNC,
  ...VALUE,
};
