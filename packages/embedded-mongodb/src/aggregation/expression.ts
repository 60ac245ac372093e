import type { BsonValue, Document } from '../bson/document.ts';
import { mongoError, outOfScope } from '../bson/mongo-error.ts';
import { spendSteps } from '../computation-limit.ts';
import { grown, mapWithinMemory, spendForValue } from '../semantics/value-memory.ts';
import { assertFieldName, parseFieldPath, valueAtFieldPath } from './field-path.ts';
import { OPERATORS } from './operators.ts';
import { OUT_OF_SCOPE_OPERATORS, OUT_OF_SCOPE_VARIABLES } from './out-of-scope.ts';
import type { Evaluate } from './scope.ts';

export type { Evaluate } from './scope.ts';

const VARIABLES: Readonly<Record<string, Evaluate>> = {
  ROOT: ({ root }) => root,
  CURRENT: ({ root }) => root,
  NOW: ({ now }) => now,
  REMOVE: () => undefined,
};
const VARIABLE_NAME = /^[a-z\u0080-\uffff][\w\u0080-\uffff]*$/i;
/** MongoDB's limit on the nesting depth of an expression. */
const MAX_EXPRESSION_DEPTH = 100;

/**
 * Compiles an aggregation expression. Throws MongoDB's error for an unknown operator, and NotImplemented for a MongoDB
 * operator that is out of scope.
 */
export function compileExpression(expression: BsonValue, depth = 0): Evaluate {
  if (depth > MAX_EXPRESSION_DEPTH)
    throw mongoError('BadValue', `Exceeded maximum expression depth of ${MAX_EXPRESSION_DEPTH}`);
  if (typeof expression === 'string' && expression.startsWith('$')) return compileReference(expression);
  if (Array.isArray(expression)) return compileArray(expression, depth);
  if (expression instanceof Map) return compileDocument(expression, depth);
  return () => expression;
}

function compileReference(reference: string): Evaluate {
  if (reference === '$') throw mongoError(16872, "'$' by itself is not a valid FieldPath");
  if (!reference.startsWith('$$')) {
    const parts = parseFieldPath(reference.slice(1));
    const [name] = parts as [string];
    return parts.length === 1 ? ({ root }) => root.get(name) : ({ root }) => valueAtFieldPath(root, parts);
  }
  const path = reference.slice(2);
  const readVariable = compileVariable(path.split('.', 1)[0] as string);
  const [, ...parts] = parseFieldPath(path);
  return parts.length === 0 ? readVariable : (scope) => valueAtFieldPath(readVariable(scope), parts);
}

function compileVariable(name: string): Evaluate {
  if (!VARIABLE_NAME.test(name))
    throw mongoError('FailedToParse', `'${name}' is not a valid name of a variable`);
  const readVariable = Object.hasOwn(VARIABLES, name) ? VARIABLES[name] : undefined;
  if (readVariable !== undefined) return readVariable;
  if (OUT_OF_SCOPE_VARIABLES.has(name)) throw outOfScope(`the variable $$${name}`);
  throw mongoError(17276, `Use of undefined variable: ${name}`);
}

function compileArray(elements: readonly BsonValue[], depth: number): Evaluate {
  const compiled = elements.map((element) => compileExpression(element, depth + 1));
  return (scope) => {
    spendSteps(compiled.length);
    return mapWithinMemory(compiled, (evaluate) => evaluate(scope) ?? null);
  };
}

function compileDocument(expression: Document, depth: number): Evaluate {
  const first = expression.keys().next().value;
  if (first?.startsWith('$')) {
    if (expression.size > 1)
      throw mongoError(15983, 'an expression specification must contain exactly one field, its operator');
    return compileOperator(first, expression.get(first) as BsonValue, depth);
  }
  const fields = [...expression].map(([name, value]) => {
    assertFieldName(name);
    return { name, evaluate: compileExpression(value, depth + 1) };
  });
  return (scope) => {
    spendSteps(fields.length);
    const document: Document = new Map();
    let bytes = 0;
    for (const { name, evaluate } of fields) {
      const value = evaluate(scope);
      if (value === undefined) continue;
      bytes = grown(bytes, value);
      document.set(name, value);
    }
    return spendForValue(document);
  };
}

function compileOperator(name: string, operand: BsonValue, depth: number): Evaluate {
  const compile = Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined;
  if (compile === undefined) {
    if (OUT_OF_SCOPE_OPERATORS.has(name)) throw outOfScope(`the expression ${name}`);
    throw mongoError('InvalidPipelineOperator', `Unrecognized expression '${name}'`);
  }
  const evaluate = compile(operand, (inner) => compileExpression(inner, depth + 1), name);
  const steps = 1 + widthOf(operand);
  return (scope) => {
    spendSteps(steps);
    return evaluate(scope);
  };
}

/** How many operands an operator may read, directly or as a list within its only operand. */
function widthOf(operand: BsonValue): number {
  if (Array.isArray(operand)) return operand.length;
  return operand instanceof Map ? operand.values().reduce((sum, inner) => sum + widthOf(inner), 0) : 0;
}

/** Whether MongoDB has an expression operator with this name, in scope or not. */
export function isExpressionName(name: string): boolean {
  return Object.hasOwn(OPERATORS, name) || OUT_OF_SCOPE_OPERATORS.has(name);
}
