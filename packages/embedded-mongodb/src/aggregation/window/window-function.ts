import { Long } from 'bson';
import { type BsonValue, type Document, isDocument, isNumeric } from '../../bson/document.ts';
import { mongoError, notImplemented } from '../../bson/mongo-error.ts';
import { toNearestDouble } from '../../semantics/numbers.ts';
import type { Accumulator } from '../accumulators.ts';
import type { CompiledAccumulator } from '../accumulators-of-several.ts';
import { compileExpression, type VariableNames } from '../expression.ts';
import { isNullish, namedOperands } from '../operator.ts';
import { parseAccumulatedField } from '../stages/group.ts';
import { type Frame, type FramesOf, parseWindow } from './frame.ts';
import { areTied, type Partition, type WindowSort } from './partition.ts';

/** The value of an output field for each row of a partition. */
export type WindowFunction = (partition: Partition) => (BsonValue | undefined)[];

type Compile = (
  operand: BsonValue,
  name: string,
  variables: VariableNames,
  sort: WindowSort,
) => WindowFunction;

/** Functions that look at the order of the partition and take no window. */
const WITHOUT_WINDOW: Readonly<Record<string, Compile>> = {
  $rank: compileRank((place) => place),
  $denseRank: compileRank((_place, before) => before + 1),
  $documentNumber: compileDocumentNumber,
  $shift: compileShift,
  $locf: compileLocf,
};
const UNSUPPORTED = new Set([
  '$covariancePop',
  '$covarianceSamp',
  '$derivative',
  '$expMovingAvg',
  '$integral',
  '$linearFill',
]);

/** Parses `{<function>: <operand>, window: …}` of an output field. */
export function parseWindowFunction(
  field: string,
  given: BsonValue,
  variables: VariableNames,
  sort: WindowSort,
): WindowFunction {
  if (!isDocument(given))
    throw mongoError('FailedToParse', `The field '${field}' must be an object with a window function`);
  const operators = [...given].filter(([name]) => name !== 'window');
  const [first] = operators;
  if (first === undefined || operators.length > 1)
    throw mongoError('FailedToParse', `The field '${field}' must have exactly one window function`);
  const [name, operand] = first;
  const compile = Object.hasOwn(WITHOUT_WINDOW, name) ? WITHOUT_WINDOW[name] : undefined;
  if (compile !== undefined) {
    if (given.has('window')) throw mongoError('FailedToParse', `'window' field is not allowed in ${name}`);
    return compile(operand, name, variables, sort);
  }
  if (UNSUPPORTED.has(name)) throw notImplemented(`the window function ${name}`);
  const accumulated = parseAccumulated(name, operand, variables);
  return accumulating(accumulated, parseWindow(given.get('window'), sort));
}

function parseAccumulated(name: string, operand: BsonValue, variables: VariableNames): CompiledAccumulator {
  if (name === '$mergeObjects' || name === '$accumulator' || !name.startsWith('$'))
    throw mongoError('FailedToParse', `Unrecognized window function, ${name}`);
  try {
    return parseAccumulatedField('window', new Map([[name, operand]]), variables);
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('unknown group operator'))
      throw mongoError('FailedToParse', `Unrecognized window function, ${name}`);
    throw error;
  }
}

/** Goes on with the same accumulator while the window only grows at its end; else begins anew. */
function accumulating({ evaluate, make }: CompiledAccumulator, framesOf: FramesOf): WindowFunction {
  return ({ rows }) => {
    const frames = framesOf(rows.map(({ sortKey }) => sortKey[0] ?? null));
    const values = rows.map(({ scope }) => evaluate(scope));
    let accumulator: Accumulator | undefined;
    let held: Frame = { start: 0, end: 0 };
    let result: BsonValue = null;
    return frames.map(({ start, end }, place) => {
      const goesOn = accumulator !== undefined && start === held.start && end >= held.end;
      if (!goesOn) {
        accumulator = make(rows[place]?.scope.collation);
        held = { start, end: start };
      }
      if (!goesOn || end > held.end) {
        for (let at = held.end; at < end; at++) accumulator?.add(values[at]);
        const made = accumulator?.result() ?? null;
        // An accumulator may go on with the array that it gave.
        result = Array.isArray(made) ? [...made] : made;
      }
      held = { start, end };
      return result;
    });
  };
}

function assertNoOperand(operand: BsonValue, name: string): void {
  if (!isDocument(operand) || operand.size > 0)
    throw mongoError(5371603, `${name} must be specified with '{}' as the value`);
}

/** `rankOf` is told the place of the first that is tied (from 1) and how many ranks came before. */
function compileRank(rankOf: (place: number, before: number) => number): Compile {
  return (operand, name, _variables, sort) => {
    assertNoOperand(operand, name);
    if (sort.length !== 1) {
      throw mongoError(
        5371602,
        `${name} must be specified with a top level sortBy expression with exactly one element`,
      );
    }
    return ({ rows }) => {
      let rank = 0;
      let ranks = 0;
      return rows.map((row, place) => {
        const previous = rows[place - 1];
        if (previous === undefined || !areTied(previous, row, sort)) {
          rank = rankOf(place + 1, ranks);
          ranks += 1;
        }
        return Long.fromNumber(rank);
      });
    };
  };
}

function compileDocumentNumber(
  operand: BsonValue,
  name: string,
  _variables: VariableNames,
  sort: WindowSort,
): WindowFunction {
  assertNoOperand(operand, name);
  if (sort.length === 0)
    throw mongoError(5371602, `${name} must be specified with a top level sortBy expression`);
  return ({ rows }) => rows.map((_, place) => Long.fromNumber(place + 1));
}

function compileShift(
  operand: BsonValue,
  name: string,
  variables: VariableNames,
  sort: WindowSort,
): WindowFunction {
  if (sort.length === 0) throw mongoError('FailedToParse', `'${name}' requires a sortBy`);
  const named = namedOperands(name, operand, ['output', 'by'], ['default']);
  const output = compileExpression(named.get('output') as BsonValue, variables);
  const by = named.get('by') as BsonValue;
  const distance = isNumeric(by) ? toNearestDouble(by) : Number.NaN;
  if (!Number.isInteger(distance)) throw mongoError('FailedToParse', `'${name}:by' field must be an integer`);
  const fallback = constantOf(named.get('default') ?? null, name);
  return ({ rows }) =>
    rows.map((_, place) => {
      const other = rows[place + distance];
      return other === undefined ? fallback : (output(other.scope) ?? null);
    });
}

function constantOf(expression: BsonValue, name: string): BsonValue {
  if (typeof expression === 'string' && expression.startsWith('$'))
    throw mongoError('FailedToParse', `'${name}:default' expression must yield a constant value.`);
  const scope = { root: new Map() as Document, now: new Date(), variables: new Map() };
  return compileExpression(expression)(scope) ?? null;
}

/** The last value that was not null, carried forward. */
function compileLocf(operand: BsonValue, _name: string, variables: VariableNames): WindowFunction {
  const evaluate = compileExpression(operand, variables);
  return ({ rows }) => {
    let last: BsonValue = null;
    return rows.map(({ scope }) => {
      const value = evaluate(scope);
      if (!isNullish(value)) last = value;
      return last;
    });
  };
}
