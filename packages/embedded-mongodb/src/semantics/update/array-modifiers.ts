import { BSONRegExp } from 'bson';
import { type BsonValue, type Document, isDocument } from '../../bson/document.ts';
import { equalValues } from '../compare.ts';
import { matches } from '../filter/match.ts';
import { FIELD_OPERATORS, FIELD_OUT_OF_SCOPE, parseFilterDocument } from '../filter/parse.ts';
import { assertArray, type Modify, UNCHANGED } from './modifier.ts';

export function pull(operand: BsonValue): Modify {
  const isRemoved = pullTest(operand);
  return (current, path) => {
    if (current === undefined) return UNCHANGED;
    assertArray('$pull', current, path);
    const kept = current.filter((element) => !isRemoved(element));
    return kept.length === current.length ? UNCHANGED : kept;
  };
}

function pullTest(operand: BsonValue): (element: BsonValue) => boolean {
  if (operand instanceof BSONRegExp || isAboutElements(operand)) {
    const filter = parseFilterDocument(asField(operand));
    return (element) => matches(filter, asField(element));
  }
  if (isDocument(operand)) {
    const filter = parseFilterDocument(operand);
    return (element) => isDocument(element) && matches(filter, element);
  }
  return (element) => equalValues(element, operand);
}

function asField(value: BsonValue): Document {
  return new Map([['', value]]);
}

/** `{$gt: 1}` applies to the element itself. `{$or: …}` and, as in MongoDB, `{$not: …}` are filters like `{field: …}`. */
function isAboutElements(operand: BsonValue): boolean {
  const first = (isDocument(operand) && operand.keys().next().value) || '';
  return first !== '$not' && (Object.hasOwn(FIELD_OPERATORS, first) || FIELD_OUT_OF_SCOPE.has(first));
}
