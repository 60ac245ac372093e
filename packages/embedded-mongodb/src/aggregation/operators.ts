import type { Operators } from './operator.ts';
import { ACCUMULATE_OPERATORS } from './operators/accumulate.ts';
import { ARITHMETIC_OPERATORS } from './operators/arithmetic.ts';
import { ARRAY_OPERATORS } from './operators/array.ts';
import { COMPARISON_OPERATORS } from './operators/comparison.ts';
import { CONDITIONAL_OPERATORS } from './operators/conditional.ts';
import { DATE_ARITHMETIC_OPERATORS } from './operators/date-arithmetic.ts';
import { DATE_PART_OPERATORS } from './operators/date-parts.ts';
import { DATE_TO_STRING_OPERATORS } from './operators/date-to-string.ts';
import { ROUNDING_OPERATORS } from './operators/rounding.ts';
import { STRING_OPERATORS } from './operators/string.ts';
import { TOOL_OPERATORS } from './operators/tools.ts';
import { VALUE_OPERATORS } from './operators/value.ts';

/** Every expression operator in scope. */
export const OPERATORS: Operators = {
  ...COMPARISON_OPERATORS,
  ...CONDITIONAL_OPERATORS,
  ...ARITHMETIC_OPERATORS,
  ...ROUNDING_OPERATORS,
  ...ARRAY_OPERATORS,
  ...STRING_OPERATORS,
  ...DATE_PART_OPERATORS,
  ...DATE_TO_STRING_OPERATORS,
  ...DATE_ARITHMETIC_OPERATORS,
  ...ACCUMULATE_OPERATORS,
  ...VALUE_OPERATORS,
  ...TOOL_OPERATORS,
};
