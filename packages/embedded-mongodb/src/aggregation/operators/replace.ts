import { type BsonValue, typeName } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import { type CompileOperator, isNullish, namedOperands, type Operators } from '../operator.ts';

/** Both take the text to find and its replacement literally. */
export const REPLACE_OPERATORS: Operators = {
  $replaceOne: replacing((input, find, replacement) => input.replace(find, () => replacement)),
  $replaceAll: replacing((input, find, replacement) => input.replaceAll(find, () => replacement)),
};

const OPERANDS = ['input', 'find', 'replacement'] as const;
const CODES = { input: 51746, find: 51745, replacement: 51744 } as const;

function replacing(replace: (input: string, find: string, replacement: string) => string): CompileOperator {
  return (operand, recurse, name) => {
    const named = namedOperands(name, operand, OPERANDS);
    const compiled = OPERANDS.map((key) => ({ key, evaluate: recurse(named.get(key) as BsonValue) }));
    return (scope) => {
      const values = compiled.map(({ key, evaluate }) => textOrNull(evaluate(scope), key, name));
      const [input, find, replacement] = values as [string | null, string | null, string | null];
      if (input === null || find === null || replacement === null) return null;
      return replace(input, find, replacement);
    };
  };
}

function textOrNull(
  value: BsonValue | undefined,
  key: (typeof OPERANDS)[number],
  name: string,
): string | null {
  if (isNullish(value)) return null;
  if (typeof value === 'string') return value;
  throw mongoError(CODES[key], `${name} requires that '${key}' be a string, found: ${typeName(value)}`);
}
