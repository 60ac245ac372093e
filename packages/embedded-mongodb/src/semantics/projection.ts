import { compileExpression, isExpressionName } from '../aggregation/expression.ts';
import { parseFieldPath } from '../aggregation/field-path.ts';
import type { Evaluate, Scope } from '../aggregation/scope.ts';
import { type BsonValue, type Document, isDocument, isNumeric } from '../bson/document.ts';
import { mongoError, outOfScope } from '../bson/mongo-error.ts';
import { spendSteps } from '../computation-limit.ts';
import { type Branch, insertLeaf, isBranch } from './path-tree.ts';
import { truthOf } from './truth.ts';
import { spendForValue } from './value-memory.ts';

/** Whether a field is included, excluded, or set to a computed value. */
interface Leaf {
  effect: 'include' | 'exclude' | 'compute';
}
type Tree = Branch<Leaf>;
type Mode = 'inclusion' | 'exclusion';

/** A top-level field with a computed value. */
export interface ComputedField {
  name: string;
  evaluate: Evaluate;
}

export interface Projection {
  mode: Mode;
  root: Tree;
  computed: readonly ComputedField[];
}

/** Parses the projection of find, which includes or excludes fields; undefined for an empty one, which keeps all. */
export function parseProjection(spec: Document): Projection | undefined {
  return spec.size === 0 ? undefined : parseFields(spec, true);
}

/** Parses the specification of the `$project` stage, which can also compute fields. */
export function parseProjectStage(spec: BsonValue): Projection {
  if (!isDocument(spec)) throw mongoError(15969, '$project specification must be an object');
  if (spec.size === 0) throw mongoError(51272, '$project specification must have at least one field');
  return parseFields(spec, false);
}

const POSITIONAL = /(?:^|\.)\$(?:\.|$)/;

/** Throws MongoDB's errors for mixed inclusion and exclusion and for colliding paths. */
function parseFields(spec: Document, isFind: boolean): Projection {
  const root: Tree = { children: new Map() };
  const computed: ComputedField[] = [];
  let mode: Mode | undefined;
  for (const [path, value] of spec) {
    if (POSITIONAL.test(path))
      throw isFind
        ? outOfScope(`the positional projection '${path}'`)
        : mongoError(31324, 'Cannot use positional projection in aggregation projection');
    const parts = parseFieldPath(path);
    if (typeof value === 'boolean' || isNumeric(value)) {
      const isIncluded = truthOf(value);
      insertAt(root, parts, isIncluded ? 'include' : 'exclude');
      // The _id can be included or excluded in both modes and does not determine the mode.
      if (path !== '_id') mode = sameMode(mode, isIncluded ? 'inclusion' : 'exclusion', path);
    } else {
      assertExpression(path, value);
      if (isFind) throw outOfScope(`the computed field '${path}' in the projection of find`);
      if (mode === 'exclusion')
        throw mongoError(isDocument(value) ? 31252 : 31310, `Cannot compute ${path} in exclusion projection`);
      computed.push(computedField(parts, value));
      insertAt(root, parts, 'compute');
      mode = 'inclusion';
    }
  }
  const id = root.children.get('_id');
  mode ??= id !== undefined && !isBranch(id) && id.effect === 'include' ? 'inclusion' : 'exclusion';
  if (mode === 'inclusion' && id === undefined) root.children.set('_id', { effect: 'include' });
  return { mode, root, computed };
}

function sameMode(mode: Mode | undefined, wanted: Mode, path: string): Mode {
  if (mode !== undefined && mode !== wanted)
    throw mongoError(
      wanted === 'inclusion' ? 31253 : 31254,
      `Cannot do ${wanted} on ${path} in ${mode} projection`,
    );
  return wanted;
}

/** Rejects `$meta`, unknown operators, and documents, which would stand for dotted paths. */
function assertExpression(path: string, value: BsonValue): void {
  if (!isDocument(value)) return;
  const name = value.keys().next().value;
  if (name === undefined)
    throw mongoError(51270, `An empty sub-projection is not a valid value. Found at path ${path}`);
  if (!name.startsWith('$')) throw outOfScope(`the document at '${path}' in a projection`);
  if (name !== '$meta' && name !== '$elemMatch' && !isExpressionName(name))
    throw mongoError(31325, `Unknown expression ${name}`);
}

export function computedField(parts: readonly string[], value: BsonValue): ComputedField {
  const [name, ...rest] = parts as [string, ...string[]];
  if (rest.length > 0) throw outOfScope(`the computed field '${parts.join('.')}' in a document`);
  return { name, evaluate: compileExpression(value) };
}

/** Inserts a leaf at the path. Throws if the path exists or lies within another path. */
function insertAt(root: Tree, parts: readonly string[], effect: Leaf['effect']): void {
  insertLeaf(root, parts, { effect }, (depth) => {
    const rest = parts.slice(depth + 1).join('.');
    return rest === ''
      ? mongoError(31250, `Path collision at ${parts.join('.')}`)
      : mongoError(31249, `Path collision at ${parts.join('.')} remaining portion ${rest}`);
  });
}

/** Returns a copy of the document with its included fields. */
export function projectFields({ mode, root }: Projection, document: Document): Document {
  return mode === 'inclusion' ? includeFields(root, document) : excludeFields(root, document);
}

/** Returns a copy of the document with computed fields. A missing result omits its field. */
export function computeFields(
  computed: readonly ComputedField[],
  document: Document,
  scope: Scope,
): Document {
  const result: Document = new Map(document);
  for (const { name, evaluate } of computed) {
    const value = evaluate(scope);
    if (value === undefined) result.delete(name);
    else result.set(name, spendForValue(value));
  }
  return result;
}

/** The document with only the fields that the tree includes. Applies to the elements of arrays, even nested ones. */
function includeFields(branch: Tree, document: Document): Document {
  const result: Document = new Map();
  for (const [name, value] of document) {
    const child = branch.children.get(name);
    const included = child === undefined ? undefined : includedValue(child, value);
    if (included !== undefined) result.set(name, included);
  }
  return result;
}

function includedValue(node: Leaf | Tree, value: BsonValue): BsonValue | undefined {
  if (!isBranch(node)) return node.effect === 'include' ? value : undefined;
  if (value instanceof Map) return includeFields(node, value);
  if (!Array.isArray(value)) return undefined;
  spendSteps(value.length);
  // Drops an element without fields.
  return value.map((element) => includedValue(node, element)).filter((element) => element !== undefined);
}

/** The document without the fields that the tree excludes. */
function excludeFields(branch: Tree, document: Document): Document {
  const result: Document = new Map();
  for (const [name, value] of document) {
    const child = branch.children.get(name);
    if (child === undefined) result.set(name, value);
    else if (isBranch(child)) result.set(name, excludedValue(child, value));
    else if (child.effect !== 'exclude') result.set(name, value);
  }
  return result;
}

function excludedValue(branch: Tree, value: BsonValue): BsonValue {
  if (value instanceof Map) return excludeFields(branch, value);
  if (!Array.isArray(value)) return value;
  spendSteps(value.length);
  return value.map((element) => excludedValue(branch, element));
}
