import { BSONRegExp } from 'bson';
import { type BsonValue, typeName } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import { type CompiledRegex, compileRegex } from '../../semantics/filter/regex.ts';
import { isNullish, namedOperands, type Operators } from '../operator.ts';

export const REGEX_OPERATORS: Operators = {
  $regexMatch: (operand, recurse, name) => {
    const named = namedOperands(name, operand, ['input', 'regex'], ['options']);
    const input = recurse(named.get('input') as BsonValue);
    const regex = recurse(named.get('regex') as BsonValue);
    const options = recurse(named.get('options') ?? null);
    return (scope) => {
      const text = input(scope);
      const pattern = regex(scope);
      if (isNullish(text) || isNullish(pattern)) return false;
      if (typeof text !== 'string')
        throw mongoError(51104, `${name} needs 'input' to be of type string, found ${typeName(text)}`);
      return compiled(pattern, options(scope), name).test(text);
    };
  },
};

function compiled(pattern: BsonValue, options: BsonValue | undefined, name: string): CompiledRegex {
  const given = isNullish(options) ? '' : options;
  if (typeof given !== 'string') throw mongoError(51106, `${name} needs 'options' to be of type string`);
  if (typeof pattern === 'string') return compileRegex(pattern, given);
  if (!(pattern instanceof BSONRegExp)) {
    throw mongoError(51105, `${name} needs 'regex' to be of type string or regex`);
  }
  if (given !== '' && pattern.options !== '') {
    throw mongoError(51107, `${name}: found regex option(s) specified in both 'regex' and 'option' fields`);
  }
  return compileRegex(pattern.pattern, given || pattern.options);
}
