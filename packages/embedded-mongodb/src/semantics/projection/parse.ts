import { compileExpression, isExpressionName, type VariableNames } from '../../aggregation/expression.ts';
import { parseFieldPath } from '../../aggregation/field-path.ts';
import { type BsonValue, type Document, isDocument, isNumeric } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import type { Collation } from '../collation.ts';
import { truthOf } from '../truth.ts';
import { type ArrayProjection, parseElemMatchProjection, parseFindSlice } from './array-projections.ts';
import { emptyBranch, insertLeaf, type ProjectionBranch, type ProjectionLeaf } from './tree.ts';

export interface Projection {
  mode: 'inclusion' | 'exclusion';
  root: ProjectionBranch;
  /** `$slice` and `$elemMatch` of find. */
  arrayProjections: ArrayProjection[];
  /** The path of `'path.$': 1`: applying then needs the position that the filter matched. */
  positional: readonly string[] | undefined;
}

export interface ProjectionOptions {
  /** Whether it is find's, which has `$slice` on a count, `$elemMatch` and the positional `$`. */
  isFind: boolean;
  variables?: VariableNames;
  /** How strings compare in `$elemMatch`. */
  collation?: Collation | undefined;
}

/** Parses the specification. Throws MongoDB's errors on mixed inclusion and exclusion, and on paths that collide. */
export function parseProjectionTree(spec: Document, options: ProjectionOptions): Projection {
  const parser = new ProjectionParser(options);
  for (const [path, value] of spec) parser.parseField(path, value);
  return parser.finish();
}

class ProjectionParser {
  readonly options: ProjectionOptions;
  readonly root = emptyBranch();
  readonly arrayProjections: ArrayProjection[] = [];
  mode: Projection['mode'] | undefined;
  idLeaf: 'include' | 'exclude' | undefined;
  hasSlice = false;
  hasElemMatch = false;
  positional: readonly string[] | undefined;

  constructor(options: ProjectionOptions) {
    this.options = options;
  }

  parseField(path: string, value: BsonValue): void {
    const isFlag = typeof value === 'boolean' || isNumeric(value);
    if (path.endsWith('.$')) {
      this.parsePositional(path, value, isFlag);
    } else if (isFlag) {
      this.parseFlag(path, truthOf(value));
    } else if (!isDocument(value)) {
      this.insertComputed(path, value, 31310);
    } else if (value.size === 1 && value.keys().next().value?.startsWith('$')) {
      this.parseOperator(path, value);
    } else {
      this.parseNested(path, value);
    }
  }

  parseFlag(path: string, isIncluded: boolean): void {
    const leaf: ProjectionLeaf = { kind: isIncluded ? 'include' : 'exclude' };
    insertLeaf(this.root, parseFieldPath(path), leaf);
    if (path === '_id') {
      // It goes with both modes, either way, and decides for neither.
      this.idLeaf = isIncluded ? 'include' : 'exclude';
      return;
    }
    if (isIncluded && this.mode === 'exclusion') this.refuseInclusion(path);
    if (!isIncluded && this.mode === 'inclusion') {
      throw mongoError(31254, `Cannot do exclusion on field ${path} in inclusion projection`);
    }
    this.mode = isIncluded ? 'inclusion' : 'exclusion';
  }

  refuseInclusion(path: string): never {
    throw mongoError(31253, `Cannot do inclusion on field ${path} in exclusion projection`);
  }

  parseNested(path: string, fields: Document): void {
    if (fields.size === 0) {
      throw mongoError(
        51270,
        `An empty sub-projection is not a valid value. Found empty object at path ${path}`,
      );
    }
    for (const [name, value] of fields) {
      if (name.startsWith('$'))
        throw mongoError(16410, `FieldPath field names may not start with '$': ${path}.${name}`);
      this.parseField(`${path}.${name}`, value);
    }
  }

  insertComputed(path: string, value: BsonValue, codeInExclusion: number): void {
    if (this.mode === 'exclusion') {
      throw mongoError(
        codeInExclusion,
        `Cannot use an expression other than $meta in an exclusion projection: ${path}`,
      );
    }
    const evaluate = compileExpression(value, this.options.variables);
    insertLeaf(this.root, parseFieldPath(path), { kind: 'compute', evaluate });
    this.mode = 'inclusion';
  }

  parseOperator(path: string, value: Document): void {
    const [name, operand] = [...value][0] as [string, BsonValue];
    if (name === '$meta') throw mongoError(40218, 'query requires metadata that is not available for $meta');
    const parts = parseFieldPath(path);
    const slice = this.options.isFind && name === '$slice' ? parseFindSlice(parts, operand) : undefined;
    if (slice !== undefined) {
      this.hasSlice = true;
      this.insertArrayProjection(parts, slice);
    } else if (this.options.isFind && name === '$elemMatch') {
      if (this.positional !== undefined)
        throw mongoError(31255, 'Cannot specify positional operator and $elemMatch.');
      this.hasElemMatch = true;
      this.insertArrayProjection(parts, parseElemMatchProjection(path, operand, this.options.collation));
    } else {
      if (!isExpressionName(name)) throw mongoError(31325, `Unknown expression ${name}`);
      this.insertComputed(path, value, 31252);
    }
  }

  insertArrayProjection(parts: readonly string[], projection: ArrayProjection): void {
    insertLeaf(this.root, parts, { kind: 'include' });
    this.arrayProjections.push(projection);
  }

  parsePositional(path: string, value: BsonValue, isFlag: boolean): void {
    if (!this.options.isFind)
      throw mongoError(31324, 'Cannot use positional projection in aggregation projection');
    if (!isFlag) {
      const code = isDocument(value) ? 31271 : 31308;
      throw mongoError(
        code,
        'positional projection cannot be used with an expression, a sub object or a literal',
      );
    }
    if (!truthOf(value)) throw mongoError(31395, 'positional projection cannot be used with exclusion');
    if (this.positional !== undefined) {
      throw mongoError(31276, 'Cannot specify more than one positional projection per query.');
    }
    if (this.hasElemMatch) throw mongoError(31256, 'Cannot specify positional operator and $elemMatch.');
    if (this.mode === 'exclusion') this.refuseInclusion(path);
    const parts = parseFieldPath(path.slice(0, -'.$'.length));
    insertLeaf(this.root, parts, { kind: 'include' });
    this.positional = parts;
    this.mode = 'inclusion';
  }

  finish(): Projection {
    const mode = this.mode ?? this.modeWithoutFields();
    if (mode === 'inclusion' && !this.root.children.has('_id'))
      this.root.children.set('_id', { kind: 'include' });
    // What $slice names stays, though it is no field to exclude; and so does the _id.
    if (mode === 'exclusion') removeIncludes(this.root);
    return { mode, root: this.root, arrayProjections: this.arrayProjections, positional: this.positional };
  }

  /** For a projection of nothing but `_id`, `$slice` and `$elemMatch`: MongoDB's rules, kept from its past. */
  modeWithoutFields(): Projection['mode'] {
    if (this.hasElemMatch && !this.hasSlice) return 'inclusion';
    return this.idLeaf === 'include' ? 'inclusion' : 'exclusion';
  }
}

function removeIncludes(branch: ProjectionBranch): void {
  for (const [name, child] of branch.children) {
    if (child.kind === 'include') branch.children.delete(name);
    else if (child.kind === 'branch') removeIncludes(child);
  }
}
