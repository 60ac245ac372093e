import { BSONRegExp, Int32 } from 'bson';
import { type BsonValue, type Document, documentOf, typeName } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import { type CompiledRegex, compileRegex } from '../../semantics/filter/regex.ts';
import { type CompileOperator, isNullish, namedOperands, type Operators } from '../operator.ts';

export const REGEX_OPERATORS: Operators = {
  $regexMatch: onRegex(false, (regex, text) => regex.test(text)),
  $regexFind: onRegex(null, (regex, text) => {
    const found = regex.find(text, 0);
    return found === null ? null : describeMatch(found, text);
  }),
  $regexFindAll: onRegex([], findAll),
};

/** `whenNull` is the answer where the text or the pattern is null or missing. */
function onRegex(
  whenNull: BsonValue,
  evaluate: (regex: CompiledRegex, text: string) => BsonValue,
): CompileOperator {
  return (operand, recurse, name) => {
    const named = namedOperands(name, operand, ['input', 'regex'], ['options']);
    const input = recurse(named.get('input') as BsonValue);
    const regex = recurse(named.get('regex') as BsonValue);
    const options = recurse(named.get('options') ?? null);
    return (scope) => {
      const text = input(scope);
      const pattern = regex(scope);
      if (!isNullish(text) && typeof text !== 'string')
        throw mongoError(51104, `${name} needs 'input' to be of type string, found ${typeName(text)}`);
      if (isNullish(pattern)) return whenNull;
      const compiledRegex = compiled(pattern, options(scope), name);
      return isNullish(text) ? whenNull : evaluate(compiledRegex, text);
    };
  };
}

function findAll(regex: CompiledRegex, text: string): BsonValue {
  const matches: Document[] = [];
  let at = 0;
  while (at <= text.length) {
    const found = regex.find(text, at);
    if (found === null) break;
    matches.push(describeMatch(found, text));
    const end = found.index + found[0].length;
    // After an empty match it goes on one character further, or it would not end.
    at = found[0] === '' ? end + String.fromCodePoint(text.codePointAt(end) ?? 0).length : end;
  }
  return matches;
}

/** Places count code points. */
function describeMatch(found: RegExpExecArray, text: string): Document {
  return documentOf({
    match: found[0],
    idx: new Int32([...text.slice(0, found.index)].length),
    captures: found.slice(1).map((capture: string | undefined) => capture ?? null),
  });
}

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
