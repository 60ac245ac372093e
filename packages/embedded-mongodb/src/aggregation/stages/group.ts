import { Int32 } from 'bson';
import { type BsonValue, type Document, isDocument } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import { parseSort, sortDocuments } from '../../semantics/sort.ts';
import { type Accumulator, accumulatorNamed, counter } from '../accumulators.ts';
import { ACCUMULATORS_OF_SEVERAL, type CompiledAccumulator } from '../accumulators-of-several.ts';
import { compileExpression, type Evaluate, type VariableNames } from '../expression.ts';
import { type ParseStage, type PipelineContext, type Stage, scopeFor, variableNames } from '../stage.ts';
import { valueKeys } from '../value-set.ts';

export interface AccumulatedField extends CompiledAccumulator {
  name: string;
}

interface Group {
  id: BsonValue;
  accumulators: Accumulator[];
}

export const parseGroup: ParseStage = (operand, context) => {
  if (!isDocument(operand)) throw mongoError(15947, "a group's fields must be specified in an object");
  const id = operand.get('_id');
  if (id === undefined) throw mongoError(15955, 'a group specification must include an _id');
  const variables = variableNames(context);
  const fields = [...operand]
    .filter(([name]) => name !== '_id')
    .map(([name, value]) => parseAccumulatedField(name, value, variables));
  return grouping(compileExpression(id, variables), fields, context);
};

/** Parses `{<accumulator>: <expression>}` of a field in `$group` or `$bucket`. */
export function parseAccumulatedField(
  name: string,
  value: BsonValue,
  variables: VariableNames,
): AccumulatedField {
  if (name.includes('.')) throw mongoError(40235, `The field name '${name}' cannot contain '.'`);
  if (name.startsWith('$')) throw mongoError(40236, `The field name '${name}' cannot be an operator name`);
  if (!isDocument(value) || value.size === 0)
    throw mongoError(40234, `The field '${name}' must be an accumulator object`);
  if (value.size > 1) throw mongoError(40238, `The field '${name}' must specify one accumulator`);
  const [operator, operand] = [...value][0] as [string, BsonValue];
  if (operator === '$count') {
    if (!isDocument(operand) || operand.size > 0)
      throw mongoError('TypeMismatch', '$count takes no arguments, i.e. $count:{}');
    return { name, make: counter, evaluate: () => undefined };
  }
  const compileSeveral = Object.hasOwn(ACCUMULATORS_OF_SEVERAL, operator)
    ? ACCUMULATORS_OF_SEVERAL[operator]
    : undefined;
  if (compileSeveral !== undefined) return { name, ...compileSeveral(operand, operator, variables) };
  const make = accumulatorNamed(operator);
  if (Array.isArray(operand) && operand.length !== 1) {
    throw mongoError(40237, `The ${operator} accumulator is a unary operator`);
  }
  const single = Array.isArray(operand) ? (operand[0] as BsonValue) : operand;
  return { name, make, evaluate: compileExpression(single, variables) };
}

export function grouping(
  id: Evaluate,
  fields: readonly AccumulatedField[],
  context: PipelineContext,
): Stage['run'] {
  return function* grouped(input) {
    const groups = new Map<string, Group>();
    const keyOf = valueKeys(context.collation);
    for (const document of input) {
      const scope = scopeFor(document, context);
      const value = id(scope) ?? null;
      const key = keyOf(value);
      let group = groups.get(key);
      if (group === undefined) {
        group = { id: value, accumulators: fields.map(({ make }) => make(context.collation)) };
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

const COUNT_DOWNWARDS = parseSort(new Map([['count', new Int32(-1)]]));

export const parseSortByCount: ParseStage = (operand, context) => {
  const isExpression = isDocument(operand) && operand.keys().next().value?.startsWith('$');
  if (isDocument(operand) && !isExpression) {
    throw mongoError(
      40147,
      'the sortByCount field must be defined as a $-prefixed path or an expression inside an object',
    );
  }
  if (!isExpression && typeof operand !== 'string') {
    throw mongoError(40149, 'the sortByCount field must be specified as a string or as an object');
  }
  if (typeof operand === 'string' && !operand.startsWith('$')) {
    throw mongoError(
      40148,
      'the sortByCount field must be defined as a $-prefixed path or an expression inside an object',
    );
  }
  const count: AccumulatedField = { name: 'count', make: counter, evaluate: () => undefined };
  const group = grouping(compileExpression(operand, variableNames(context)), [count], context);
  return (input) => sortDocuments(group(input), COUNT_DOWNWARDS);
};
