import type { Operators } from './operator.ts';
import { ACCUMULATE_OPERATORS } from './operators/accumulate.ts';
import { ARITHMETIC_OPERATORS } from './operators/arithmetic.ts';
import { ARRAY_OPERATORS } from './operators/array.ts';
import { BIT_OPERATORS } from './operators/bit.ts';
import { COMPARISON_OPERATORS } from './operators/comparison.ts';
import { CONDITIONAL_OPERATORS } from './operators/conditional.ts';
import { DATE_OPERATORS } from './operators/date.ts';
import { DATE_ARITHMETIC_OPERATORS } from './operators/date-arithmetic.ts';
import { DATE_PARTS_OPERATORS } from './operators/date-parts.ts';
import { DATE_TRUNC_OPERATORS } from './operators/date-trunc.ts';
import { DOCUMENT_OPERATORS } from './operators/document.ts';
import { POWER_OPERATORS } from './operators/power.ts';
import { REGEX_OPERATORS } from './operators/regex.ts';
import { REPLACE_OPERATORS } from './operators/replace.ts';
import { ROUNDING_OPERATORS } from './operators/rounding.ts';
import { SET_OPERATORS } from './operators/set.ts';
import { SIZE_OPERATORS } from './operators/size.ts';
import { SOME_OF_ARRAY_OPERATORS } from './operators/some-of-array.ts';
import { STRING_OPERATORS } from './operators/string.ts';
import { TRIGONOMETRY_OPERATORS } from './operators/trigonometry.ts';
import { TYPE_OPERATORS } from './operators/type.ts';
import { VARIABLE_OPERATORS } from './operators/variable.ts';
import { ZIP_OPERATORS } from './operators/zip.ts';

/**
 * All operators, computed over typed values. A library for plain JavaScript values (mingo) was measured and left: it has
 * no int32 beside double, errors at `$acos: 0`, and truncates dates before 2000 to other months.
 */
export const OPERATORS: Operators = {
  ...COMPARISON_OPERATORS,
  ...CONDITIONAL_OPERATORS,
  ...ARITHMETIC_OPERATORS,
  ...POWER_OPERATORS,
  ...BIT_OPERATORS,
  ...ROUNDING_OPERATORS,
  ...TRIGONOMETRY_OPERATORS,
  ...ARRAY_OPERATORS,
  ...SOME_OF_ARRAY_OPERATORS,
  ...ZIP_OPERATORS,
  ...SET_OPERATORS,
  ...STRING_OPERATORS,
  ...REPLACE_OPERATORS,
  ...DOCUMENT_OPERATORS,
  ...DATE_OPERATORS,
  ...DATE_ARITHMETIC_OPERATORS,
  ...DATE_TRUNC_OPERATORS,
  ...DATE_PARTS_OPERATORS,
  ...REGEX_OPERATORS,
  ...ACCUMULATE_OPERATORS,
  ...TYPE_OPERATORS,
  ...SIZE_OPERATORS,
  ...VARIABLE_OPERATORS,
};
