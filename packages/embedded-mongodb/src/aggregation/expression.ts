import type { BsonValue, Document } from '../bson/document.ts';
import { mongoError, notImplemented } from '../bson/mongo-error.ts';
import { parseFieldPath, valueAtFieldPath } from './field-path.ts';
import type { Recurse } from './operator.ts';
import { OPERATORS } from './operators.ts';
import type { Evaluate } from './scope.ts';
import { isKnownOperator } from './unsupported-operators.ts';

export type { Evaluate, Scope } from './scope.ts';

/** Names that expressions may use as `$$name`, beyond MongoDB's own. */
export type VariableNames = ReadonlySet<string>;

const NO_VARIABLES: VariableNames = new Set();
const OWN_VARIABLES = new Set(['ROOT', 'CURRENT', 'REMOVE', 'NOW']);

/**
 * Compiles an aggregation expression. Throws MongoDB's error on what it does not know, and NotImplemented on operators
 * that MongoDB has and this server has not: an expression never evaluates to a guess.
 */
export function compileExpression(expression: BsonValue, variables: VariableNames = NO_VARIABLES): Evaluate {
  if (typeof expression === 'string' && expression.startsWith('$'))
    return compileReference(expression, variables);
  if (Array.isArray(expression)) return compileArray(expression, variables);
  if (expression instanceof Map) return compileDocument(expression, variables);
  return () => expression;
}

function compileReference(reference: string, variables: VariableNames): Evaluate {
  if (!reference.startsWith('$$')) {
    if (reference === '$') throw mongoError(16872, "'$' by itself is not a valid FieldPath");
    const parts = parseFieldPath(reference.slice(1));
    return parts.length === 1
      ? ({ root }) => root.get(parts[0] as string)
      : ({ root }) => valueAtFieldPath(root, parts);
  }
  const [name, ...rest] = parseFieldPath(reference.slice(2)) as [string, ...string[]];
  const readVariable = compileVariable(name, variables);
  return rest.length === 0 ? readVariable : (scope) => valueAtFieldPath(readVariable(scope), rest);
}

function compileVariable(name: string, variables: VariableNames): Evaluate {
  if (variables.has(name)) return (scope) => scope.variables.get(name);
  if (!OWN_VARIABLES.has(name)) throw mongoError(17276, `Use of undefined variable: ${name}`);
  if (name === 'NOW') return ({ now }) => now;
  if (name === 'REMOVE') return () => undefined;
  return ({ root }) => root;
}

function compileArray(elements: readonly BsonValue[], variables: VariableNames): Evaluate {
  const compiled = elements.map((element) => compileExpression(element, variables));
  return (scope) => compiled.map((evaluate) => evaluate(scope) ?? null);
}

function compileDocument(expression: Document, variables: VariableNames): Evaluate {
  const first = expression.keys().next().value;
  if (first?.startsWith('$')) {
    if (expression.size > 1) {
      throw mongoError(
        15983,
        `an expression specification must contain exactly one field, the name of the expression; found ${expression.size} fields`,
      );
    }
    return compileOperator(first, expression.get(first) as BsonValue, variables);
  }
  const fields = [...expression].map(([name, value]) => {
    if (name.startsWith('$') || name.includes('.')) {
      throw mongoError(16412, `FieldPath field names may not contain '.' nor start with '$': '${name}'`);
    }
    return { name, evaluate: compileExpression(value, variables) };
  });
  return (scope) => {
    const document: Document = new Map();
    for (const { name, evaluate } of fields) {
      const value = evaluate(scope);
      if (value !== undefined) document.set(name, value);
    }
    return document;
  };
}

function compileOperator(name: string, operand: BsonValue, variables: VariableNames): Evaluate {
  const compile = Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined;
  const recurse: Recurse = (inner, more) =>
    compileExpression(inner, more === undefined ? variables : new Set([...variables, ...more]));
  if (compile !== undefined) return compile(operand, recurse, name);
  if (isKnownOperator(name)) throw notImplemented(`the expression ${name}`);
  throw mongoError('InvalidPipelineOperator', `Unrecognized expression '${name}'`);
}

/** Whether MongoDB has an expression of that name, be it supported here or not. */
export function isExpressionName(name: string): boolean {
  return Object.hasOwn(OPERATORS, name) || isKnownOperator(name);
}
