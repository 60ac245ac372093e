import { type BsonValue, type Document, isDocument, typeName } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import { computeFields } from '../../semantics/projection/apply-tree.ts';
import { emptyBranch, insertLeaf, type ProjectionBranch } from '../../semantics/projection/tree.ts';
import { applyProjection, parseProjectStage } from '../../semantics/projection.ts';
import { compileExpression, type VariableNames } from '../expression.ts';
import { parseFieldPath } from '../field-path.ts';
import {
  mapping,
  type ParseStage,
  type PipelineContext,
  type Stage,
  scopeFor,
  variableNames,
} from '../stage.ts';

export const parseProject: ParseStage = (operand, context) => {
  const projection = parseProjectStage(operand, variableNames(context));
  return mapping((document) => applyProjection(projection, scopeFor(document, context)));
};

/** `$unset: 'a'` or `$unset: ['a', 'b.c']`: a `$project` of exclusions. */
export const parseUnset: ParseStage = (operand) => {
  const paths = Array.isArray(operand) ? operand : [operand];
  if (paths.length === 0)
    throw mongoError(31119, '$unset specification must be a string or an array with at least one field');
  const spec: Document = new Map();
  for (const path of paths) {
    if (typeof path !== 'string')
      throw mongoError(31120, '$unset specification must be a string or an array of strings');
    if (spec.has(path)) throw mongoError(31250, `Path collision at ${path}`);
    spec.set(path, false);
  }
  const projection = parseProjectStage(spec);
  const scope = { now: new Date(0), variables: new Map() };
  return mapping((root) => applyProjection(projection, { ...scope, root }));
};

export const parseAddFields: ParseStage = (operand, context) => {
  if (!isDocument(operand)) throw mongoError(40272, '$addFields specification stage must be an object');
  const root = emptyBranch();
  for (const [path, value] of operand)
    insertComputed(root, parseFieldPath(path), value, variableNames(context));
  return mapping((document) => computeFields(root, document, scopeFor(document, context)));
};

/** A document that is no operator adds its own fields to the field's: `{a: {b: 1}}` is `{'a.b': 1}`. */
function insertComputed(
  root: ProjectionBranch,
  parts: readonly string[],
  value: BsonValue,
  variables: VariableNames,
): void {
  if (isDocument(value) && value.size > 0 && !value.keys().next().value?.startsWith('$')) {
    for (const [name, inner] of value)
      insertComputed(root, [...parts, ...parseFieldPath(name)], inner, variables);
    return;
  }
  insertLeaf(root, parts, { kind: 'compute', evaluate: compileExpression(value, variables) });
}

export const parseReplaceRoot: ParseStage = (operand, context) => {
  if (!isDocument(operand))
    throw mongoError(
      40229,
      `expected an object as specification for $replaceRoot stage, got ${typeName(operand)}`,
    );
  const unknown = [...operand.keys()].find((name) => name !== 'newRoot');
  if (unknown !== undefined)
    throw mongoError(40415, `BSON field '$replaceRoot.${unknown}' is an unknown field.`);
  const newRoot = operand.get('newRoot');
  if (newRoot === undefined)
    throw mongoError(40414, "BSON field '$replaceRoot.newRoot' is missing but a required field");
  return replacing(newRoot, context);
};

export const parseReplaceWith: ParseStage = (operand, context) => replacing(operand, context);

function replacing(expression: BsonValue, context: PipelineContext): Stage['run'] {
  const evaluate = compileExpression(expression, variableNames(context));
  return mapping((document) => {
    const result = evaluate(scopeFor(document, context));
    if (isDocument(result)) return result;
    const found = result === undefined ? 'missing' : typeName(result);
    throw mongoError(
      40228,
      `'newRoot' expression must evaluate to an object, but resulting value was of type: '${found}'`,
    );
  });
}
