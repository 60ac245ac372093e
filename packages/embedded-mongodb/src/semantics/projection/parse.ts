import { compileExpression, isExpressionName } from '../../aggregation/expression.ts';
import { parseFieldPath } from '../../aggregation/field-path.ts';
import type { Evaluate } from '../../aggregation/scope.ts';
import { type BsonValue, type Document, isDocument, isNumeric } from '../../bson/document.ts';
import { mongoError, outOfScope } from '../../bson/mongo-error.ts';
import { parseElemMatch } from '../filter/parse.ts';
import { truthOf } from '../truth.ts';
import { parseFindSlice } from './find-slice.ts';
import { emptyBranch, insertLeaf, type ProjectionBranch } from './tree.ts';

export interface Projection {
  mode: 'inclusion' | 'exclusion';
  root: ProjectionBranch;
  /** The `$slice` operators of find. */
  slices: ((document: Document) => Document)[];
}

/**
 * Parses the specification. Throws MongoDB's errors for mixed inclusion and exclusion and for colliding paths.
 * @param isFind whether the projection is find's, which supports `$elemMatch` and `$slice` with a count
 */
export function parseProjectionTree(spec: Document, isFind: boolean): Projection {
  const parser = new ProjectionParser(isFind);
  for (const [path, value] of spec) parser.parseField(path, value);
  return parser.finish();
}

const POSITIONAL = /(?:^|\.)\$(?:\.|$)/;

class ProjectionParser {
  readonly isFind: boolean;
  readonly root = emptyBranch();
  readonly slices: Projection['slices'] = [];
  mode: Projection['mode'] | undefined;
  includesId = false;
  hasElemMatch = false;

  constructor(isFind: boolean) {
    this.isFind = isFind;
  }

  parseField(path: string, value: BsonValue): void {
    if (POSITIONAL.test(path))
      throw this.isFind
        ? outOfScope(`the positional projection '${path}'`)
        : mongoError(31324, 'Cannot use positional projection in aggregation projection');
    if (typeof value === 'boolean' || isNumeric(value)) this.parseFlag(path, truthOf(value));
    else if (!isDocument(value)) this.insertComputed(path, value, 31310);
    else if (value.size === 1 && value.keys().next().value?.startsWith('$')) this.parseOperator(path, value);
    else this.parseNested(path, value);
  }

  parseFlag(path: string, isIncluded: boolean): void {
    insertLeaf(this.root, parseFieldPath(path), { kind: isIncluded ? 'include' : 'exclude' });
    if (path === '_id') {
      // The _id can be included or excluded in both modes and does not determine the mode.
      this.includesId = isIncluded;
      return;
    }
    const mode = isIncluded ? 'inclusion' : 'exclusion';
    if (this.mode !== undefined && this.mode !== mode)
      throw mongoError(isIncluded ? 31253 : 31254, `Cannot do ${mode} on ${path} in ${this.mode} projection`);
    this.mode = mode;
  }

  parseNested(path: string, fields: Document): void {
    if (fields.size === 0)
      throw mongoError(51270, `An empty sub-projection is not a valid value. Found at path ${path}`);
    for (const [name, value] of fields) {
      if (name.startsWith('$'))
        throw mongoError(16410, `FieldPath field names may not start with '$': ${path}.${name}`);
      this.parseField(`${path}.${name}`, value);
    }
  }

  insertComputed(path: string, value: BsonValue, codeInExclusion: number): void {
    if (this.mode === 'exclusion')
      throw mongoError(codeInExclusion, `Cannot use an expression in an exclusion projection: ${path}`);
    insertLeaf(this.root, parseFieldPath(path), { kind: 'compute', evaluate: compileExpression(value) });
    this.mode = 'inclusion';
  }

  parseOperator(path: string, value: Document): void {
    const [name, operand] = [...value][0] as [string, BsonValue];
    if (name === '$meta') throw outOfScope('$meta in a projection');
    const parts = parseFieldPath(path);
    const slice = this.isFind && name === '$slice' ? parseFindSlice(parts, operand) : undefined;
    if (slice !== undefined) {
      insertLeaf(this.root, parts, { kind: 'include' });
      this.slices.push(slice);
    } else if (this.isFind && name === '$elemMatch') {
      this.hasElemMatch = true;
      insertLeaf(this.root, parts, { kind: 'compute', evaluate: firstMatch(path, operand) });
    } else {
      if (!isExpressionName(name)) throw mongoError(31325, `Unknown expression ${name}`);
      this.insertComputed(path, value, 31252);
    }
  }

  finish(): Projection {
    const mode = this.mode ?? this.modeWithoutFields();
    if (mode === 'inclusion' && !this.root.children.has('_id'))
      this.root.children.set('_id', { kind: 'include' });
    return { mode, root: this.root, slices: this.slices };
  }

  /** The mode of a projection of only `_id`, `$slice`, and `$elemMatch`, by MongoDB's historical rules. */
  modeWithoutFields(): Projection['mode'] {
    if (this.hasElemMatch && this.slices.length === 0) return 'inclusion';
    return this.includesId ? 'inclusion' : 'exclusion';
  }
}

/** `{$elemMatch: …}` of find: an array of the first matching element; without a match, the field is missing. */
function firstMatch(path: string, operand: BsonValue): Evaluate {
  if (path.includes('.')) throw mongoError(31275, 'Cannot use $elemMatch projection on a nested field');
  if (!isDocument(operand)) throw mongoError(31274, 'elemMatch: Invalid argument, object required');
  const matchesElement = parseElemMatch(operand);
  return ({ root }) => {
    const array = root.get(path);
    const index = Array.isArray(array) ? array.findIndex(matchesElement) : -1;
    return index < 0 ? undefined : [(array as BsonValue[])[index] as BsonValue];
  };
}
