import { type BsonValue, type Document, isDocument } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import { computeFields } from '../../semantics/projection/apply-tree.ts';
import { emptyBranch, insertLeaf, type ProjectionBranch } from '../../semantics/projection/tree.ts';
import { applyProjection, parseProjectStage } from '../../semantics/projection.ts';
import { compileExpression, type Evaluate } from '../expression.ts';
import { parseFieldPath } from '../field-path.ts';
import { argumentsOf, operandsByName, typeOf } from '../operator.ts';
import { scopeOf } from '../scope.ts';
import { mapping, type ParseStage, type PipelineContext, type Stage } from '../stage.ts';

export const parseProject: ParseStage = (operand, context) => {
  const projection = parseProjectStage(operand);
  return mapping((document) => applyProjection(projection, scopeOf(document, context.now)));
};

/** `$unset: 'a'` or `$unset: ['a', 'b.c']`: a `$project` of exclusions. */
export const parseUnset: ParseStage = (operand, context) => {
  if (typeof operand !== 'string' && !Array.isArray(operand))
    throw mongoError(31002, '$unset specification must be a string or an array');
  const paths = argumentsOf(operand);
  if (paths.length === 0)
    throw mongoError(31119, '$unset specification must be a string or an array with at least one field');
  const spec: Document = new Map();
  for (const path of paths) {
    if (typeof path !== 'string')
      throw mongoError(31120, '$unset specification must be a string or an array of strings');
    if (spec.has(path)) throw mongoError(31250, `Path collision at ${path}`);
    spec.set(path, false);
  }
  return parseProject(spec, context);
};

export const parseAddFields: ParseStage = (operand, context) => {
  if (!isDocument(operand)) throw mongoError(40272, '$addFields specification stage must be an object');
  const root = emptyBranch();
  for (const [path, value] of operand) insertComputed(root, parseFieldPath(path), value);
  return mapping((document) => computeFields(root, document, scopeOf(document, context.now)));
};

/** A nested document without an operator stands for dotted paths: `{a: {b: 1}}` is `{'a.b': 1}`. */
function insertComputed(root: ProjectionBranch, parts: readonly string[], value: BsonValue): void {
  const names = isDocument(value) ? [...value.keys()] : [];
  const isOperator = names.some((name) => name.startsWith('$'));
  if (isOperator && names.length > 1)
    throw mongoError(40181, 'an expression specification must contain exactly one field');
  // Since MongoDB 6.1 an empty document is a value like any other.
  if (!isDocument(value) || isOperator || names.length === 0) {
    insertComputedLeaf(root, parts, compileExpression(value));
    return;
  }
  for (const [name, inner] of value) {
    if (name.includes('.')) throw mongoError(40183, `cannot use dotted field name '${name}' in a sub object`);
    insertComputed(root, [...parts, ...parseFieldPath(name)], inner);
  }
}

function insertComputedLeaf(root: ProjectionBranch, parts: readonly string[], evaluate: Evaluate): void {
  try {
    insertLeaf(root, parts, { kind: 'compute', evaluate });
  } catch {
    throw mongoError(40176, `specification contains two conflicting paths: '${parts.join('.')}'`);
  }
}

const replaceRootOptions = operandsByName({ notDocument: 40229, unknown: 40415 }, ['newRoot', 40414]);

export const parseReplaceRoot: ParseStage = (operand, context) => {
  const newRoot = replaceRootOptions(operand, '$replaceRoot').get('newRoot');
  return replacing(newRoot as BsonValue, context);
};

export const parseReplaceWith: ParseStage = (operand, context) => replacing(operand, context);

function replacing(expression: BsonValue, context: PipelineContext): Stage['run'] {
  const evaluate = compileExpression(expression);
  return mapping((document) => {
    const result = evaluate(scopeOf(document, context.now));
    if (isDocument(result)) return result;
    throw mongoError(
      40228,
      `'newRoot' expression must evaluate to an object, but resulting value was of type: '${typeOf(result)}'`,
    );
  });
}
