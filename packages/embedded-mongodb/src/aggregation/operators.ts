import type { Operators } from './operator.ts';
import { ACCUMULATE_OPERATORS } from './operators/accumulate.ts';
import { ARITHMETIC_OPERATORS } from './operators/arithmetic.ts';
import { ARRAY_OPERATORS } from './operators/array.ts';
import { COMPARISON_OPERATORS } from './operators/comparison.ts';
import { CONDITIONAL_OPERATORS } from './operators/conditional.ts';
import { DATE_OPERATORS } from './operators/date.ts';
import { DATE_ARITHMETIC_OPERATORS } from './operators/date-arithmetic.ts';
import { DATE_TRUNC_OPERATORS } from './operators/date-trunc.ts';
import { DOCUMENT_OPERATORS } from './operators/document.ts';
import { REGEX_OPERATORS } from './operators/regex.ts';
import { REPLACE_OPERATORS } from './operators/replace.ts';
import { ROUNDING_OPERATORS } from './operators/rounding.ts';
import { SET_OPERATORS } from './operators/set.ts';
import { STRING_OPERATORS } from './operators/string.ts';
import { TRIGONOMETRY_OPERATORS } from './operators/trigonometry.ts';
import { TYPE_OPERATORS } from './operators/type.ts';
import { VARIABLE_OPERATORS } from './operators/variable.ts';

/**
 * All operators, computed over typed values. A library for plain JavaScript values (mingo) was measured and left: it has
 * no int32 beside double, errors at `$acos: 0`, and truncates dates before 2000 to other months.
 */
export const OPERATORS: Operators = {
  ...COMPARISON_OPERATORS,
  ...CONDITIONAL_OPERATORS,
  ...ARITHMETIC_OPERATORS,
  ...ROUNDING_OPERATORS,
  ...TRIGONOMETRY_OPERATORS,
  ...ARRAY_OPERATORS,
  ...SET_OPERATORS,
  ...STRING_OPERATORS,
  ...REPLACE_OPERATORS,
  ...DOCUMENT_OPERATORS,
  ...DATE_OPERATORS,
  ...DATE_ARITHMETIC_OPERATORS,
  ...DATE_TRUNC_OPERATORS,
  ...REGEX_OPERATORS,
  ...ACCUMULATE_OPERATORS,
  ...TYPE_OPERATORS,
  ...VARIABLE_OPERATORS,
};
