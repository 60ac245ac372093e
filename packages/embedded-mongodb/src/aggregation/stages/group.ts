import { type BsonValue, type Document, isDocument, isNumeric } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import { keepBytes } from '../../computation-limit.ts';
import { memoryOf } from '../../semantics/value-memory.ts';
import { type Accumulator, accumulatorNamed, type MakeAccumulator } from '../accumulators.ts';
import { compileExpression, type Evaluate } from '../expression.ts';
import { scopeOf } from '../scope.ts';
import type { ParseStage, Stage } from '../stage.ts';
import { valueKey } from '../value-set.ts';

interface AccumulatedField {
  name: string;
  make: MakeAccumulator;
  evaluate: Evaluate;
}

/** The memory of a group, and of each of its accumulators, besides the values. */
const BYTES_PER_GROUP = 200;

interface Group {
  id: BsonValue;
  accumulators: Accumulator[];
}

export const parseGroup: ParseStage = (operand, context) => {
  if (!isDocument(operand)) throw mongoError(15947, "a group's fields must be specified in an object");
  const id = operand.get('_id');
  if (id === undefined) throw mongoError(15955, 'a group specification must include an _id');
  const fields = [...operand]
    .filter(([name]) => name !== '_id')
    .map(([name, value]) => parseAccumulatedField(name, value));
  return grouping(compileId(id), fields, context.now);
};

function compileId(id: BsonValue): Evaluate {
  const isFields = isDocument(id) && !id.keys().next().value?.startsWith('$');
  if (isFields && [...id.values()].some((field) => isNumeric(field) || typeof field === 'boolean'))
    throw mongoError(17390, '$group does not support inclusion-style expressions');
  return compileExpression(id);
}

/** Parses the `{<accumulator>: <expression>}` of a field. */
function parseAccumulatedField(name: string, value: BsonValue): AccumulatedField {
  if (!isDocument(value) || !value.keys().next().value?.startsWith('$'))
    throw mongoError(40234, `The field '${name}' must be an accumulator object`);
  if (name.includes('.')) throw mongoError(40235, `The field name '${name}' cannot contain '.'`);
  if (name.startsWith('$')) throw mongoError(40236, `The field name '${name}' cannot be an operator name`);
  if (value.size > 1) throw mongoError(40238, `The field '${name}' must specify one accumulator`);
  const [operator, operand] = [...value][0] as [string, BsonValue];
  if (Array.isArray(operand)) throw mongoError(40237, `The ${operator} accumulator is a unary operator`);
  return { name, make: accumulatorNamed(operator), evaluate: compileExpression(operand) };
}

function grouping(id: Evaluate, fields: readonly AccumulatedField[], now: Date): Stage['run'] {
  return function* grouped(input) {
    const groups = new Map<string, Group>();
    for (const document of input) {
      const scope = scopeOf(document, now);
      const value = id(scope) ?? null;
      const key = valueKey(value);
      let group = groups.get(key);
      if (group === undefined) {
        keepBytes(BYTES_PER_GROUP * (1 + fields.length) + key.length + memoryOf(value));
        group = { id: value, accumulators: fields.map(({ make }) => make()) };
        groups.set(key, group);
      }
      for (const [index, { evaluate }] of fields.entries()) group.accumulators[index]?.add(evaluate(scope));
    }
    for (const group of groups.values()) yield groupDocument(group, fields);
  };
}

function groupDocument(group: Group, fields: readonly AccumulatedField[]): Document {
  const document: Document = new Map([['_id', group.id]]);
  for (const [index, { name }] of fields.entries()) {
    document.set(name, (group.accumulators[index] as Accumulator).result());
  }
  return document;
}
