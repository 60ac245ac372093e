import type { Operators } from './operator.ts';
import { ARITHMETIC_OPERATORS } from './operators/arithmetic.ts';
import { COMPARISON_OPERATORS } from './operators/comparison.ts';
import { CONDITIONAL_OPERATORS } from './operators/conditional.ts';
import { DATE_TRUNC_OPERATORS } from './operators/date-trunc.ts';
import { DOCUMENT_OPERATORS } from './operators/documents.ts';

/** Every expression operator in scope. */
export const OPERATORS: Operators = {
  ...COMPARISON_OPERATORS,
  ...CONDITIONAL_OPERATORS,
  ...ARITHMETIC_OPERATORS,
  ...DATE_TRUNC_OPERATORS,
  ...DOCUMENT_OPERATORS,
};
