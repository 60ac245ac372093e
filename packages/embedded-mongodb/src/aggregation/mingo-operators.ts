import { Double } from 'bson';
import { Context, evalExpr, ProcessingMode } from 'mingo/core';
import { $literal } from 'mingo/operators/expression';
import { $dateTrunc } from 'mingo/operators/expression/date';
import { $replaceAll, $replaceOne } from 'mingo/operators/expression/string';
import {
  $acos,
  $acosh,
  $asin,
  $asinh,
  $atan,
  $atan2,
  $atanh,
  $cos,
  $cosh,
  $degreesToRadians,
  $radiansToDegrees,
  $sin,
  $sinh,
  $tan,
  $tanh,
} from 'mingo/operators/expression/trignometry';
import { type BsonValue, isDocument, isNumeric } from '../bson/document.ts';
import { mongoError, notImplemented } from '../bson/mongo-error.ts';
import { asExactDouble } from '../semantics/numbers.ts';
import { isNullish, type Recurse } from './operator.ts';
import type { Evaluate } from './scope.ts';

/*
 * The operators that mingo computes as MongoDB does. It works on plain JavaScript values, so the arguments are
 * evaluated here, with their types, and given to it as literals; what the conversion would lose is refused.
 * Operators stay off this list where mingo's answers differ from MongoDB's (calendar weeks, months added to
 * the 31st, results whose type depends on the arguments').
 */

interface MingoOperator {
  /** Named arguments that mingo ignores or reads otherwise than MongoDB: given, the expression is refused. */
  refused?: readonly string[];
}

const OPERATOR_FUNCTIONS = {
  $acos,
  $acosh,
  $asin,
  $asinh,
  $atan,
  $atan2,
  $atanh,
  $cos,
  $cosh,
  $degreesToRadians,
  $radiansToDegrees,
  $sin,
  $sinh,
  $tan,
  $tanh,
  $replaceAll,
  $replaceOne,
  $dateTrunc,
};

const SETTINGS: Readonly<Record<string, MingoOperator>> = { $dateTrunc: { refused: ['timezone'] } };

export const MINGO_OPERATORS: Readonly<Record<string, MingoOperator>> = Object.fromEntries(
  Object.keys(OPERATOR_FUNCTIONS).map((name) => [name, SETTINGS[name] ?? {}]),
);

const OPTIONS = {
  idKey: '_id',
  processingMode: ProcessingMode.CLONE_OFF,
  useStrictMode: true,
  scriptEnabled: false,
  failOnError: true,
  context: Context.init({ expression: { $literal, ...OPERATOR_FUNCTIONS } }),
};

/** Compiles one of MINGO_OPERATORS. */
export function compileWithMingo(name: string, operand: BsonValue, recurse: Recurse): Evaluate {
  const { refused = [] } = MINGO_OPERATORS[name] as MingoOperator;
  const evaluateArguments = compileArguments(name, operand, recurse, refused);
  return (scope) => {
    const values = evaluateArguments(scope);
    return values === undefined ? null : fromPlain(compute(name, values));
  };
}

function compute(name: string, values: unknown): unknown {
  try {
    return evalExpr({}, { [name]: values }, OPTIONS);
  } catch (error) {
    throw mongoError('BadValue', `${name}: ${(error as Error).message}`);
  }
}

/** The arguments as mingo's literals; undefined when one of them is null, to which all these answer null. */
function compileArguments(
  name: string,
  operand: BsonValue,
  recurse: Recurse,
  refused: readonly string[],
): (scope: Parameters<Evaluate>[0]) => unknown {
  if (Array.isArray(operand)) {
    const compiled = operand.map((inner) => recurse(inner));
    return (scope) => {
      const values = compiled.map((evaluate) => evaluate(scope));
      if (values.some(isNullish)) return undefined;
      const literals = values.map((value) => ({ $literal: toPlain(value as BsonValue) }));
      return literals.length === 1 ? literals[0] : literals;
    };
  }
  if (!isDocument(operand) || operand.keys().next().value?.startsWith('$')) {
    const evaluate = recurse(operand);
    return (scope) => {
      const value = evaluate(scope);
      return isNullish(value) ? undefined : { $literal: toPlain(value) };
    };
  }
  const fields = [...operand].map(([field, inner]) => {
    if (refused.includes(field)) throw notImplemented(`'${field}' in ${name}`);
    return { field, evaluate: recurse(inner) };
  });
  return (scope) => {
    const literals: Record<string, unknown> = {};
    for (const { field, evaluate } of fields) {
      const value = evaluate(scope);
      if (isNullish(value)) return undefined;
      literals[field] = { $literal: toPlain(value) };
    }
    return literals;
  };
}

function toPlain(value: BsonValue): unknown {
  if (typeof value === 'string' || typeof value === 'boolean' || value instanceof Date) return value;
  const number = isNumeric(value) ? asExactDouble(value) : undefined;
  if (number === undefined)
    throw notImplemented('this expression of such a value (an exact decimal, a large int64 or another type)');
  return number;
}

/** Numbers come back as doubles: of the operators here MongoDB gives no others. */
function fromPlain(result: unknown): BsonValue {
  if (typeof result === 'number') return new Double(result);
  if (typeof result === 'string' || result instanceof Date || result === null) return result;
  throw notImplemented(`a result of type ${typeof result}`);
}
