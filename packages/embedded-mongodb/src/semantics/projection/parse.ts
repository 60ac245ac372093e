import { compileExpression, type VariableNames } from '../../aggregation/expression.ts';
import { parseFieldPath } from '../../aggregation/field-path.ts';
import { type BsonValue, type Document, isDocument, isNumeric } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
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
  hasElemMatch = false;
  positional: readonly string[] | undefined;

  constructor(options: ProjectionOptions) {
    this.options = options;
  }

  parseField(path: string, value: BsonValue): void {
    if (path.endsWith('.$') && this.options.isFind) {
      this.parsePositional(path, value);
    } else if (typeof value === 'boolean' || isNumeric(value)) {
      this.parseFlag(path, truthOf(value));
    } else if (isDocument(value) && !value.keys().next().value?.startsWith('$')) {
      this.parseNested(path, value);
    } else if (!isDocument(value) || !this.parseArrayProjection(path, value)) {
      this.insertComputed(path, value);
    }
  }

  parseFlag(path: string, isIncluded: boolean): void {
    const leaf: ProjectionLeaf = { kind: isIncluded ? 'include' : 'exclude' };
    insertLeaf(this.root, parseFieldPath(path), leaf);
    if (path === '_id') {
      this.idLeaf = leaf.kind as 'include' | 'exclude';
      // Only leaving the _id out goes with both modes.
      if (isIncluded && this.mode === 'exclusion') this.refuseInclusion(path);
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

  insertComputed(path: string, value: BsonValue): void {
    if (this.mode === 'exclusion') {
      throw mongoError(31252, 'Cannot use expression other than $meta in exclusion projection');
    }
    const evaluate = compileExpression(value, this.options.variables);
    insertLeaf(this.root, parseFieldPath(path), { kind: 'compute', evaluate });
    this.mode = 'inclusion';
  }

  /** Whether it was one of find's operators on arrays. */
  parseArrayProjection(path: string, value: Document): boolean {
    const [name, operand] = [...value][0] as [string, BsonValue];
    if (name === '$meta') throw mongoError(40218, 'query requires metadata that is not available for $meta');
    if (!this.options.isFind) return false;
    const parts = parseFieldPath(path);
    if (name === '$slice') {
      const slice = parseFindSlice(parts, operand);
      if (slice === undefined) return false;
      insertLeaf(this.root, parts, { kind: 'include' });
      this.arrayProjections.push(slice);
      return true;
    }
    if (name !== '$elemMatch') return false;
    if (this.positional !== undefined) {
      throw mongoError(31256, 'Cannot specify positional operator and $elemMatch.');
    }
    this.hasElemMatch = true;
    insertLeaf(this.root, parts, { kind: 'include' });
    this.arrayProjections.push(parseElemMatchProjection(path, operand));
    return true;
  }

  parsePositional(path: string, value: BsonValue): void {
    if (!truthOf(value) || !(typeof value === 'boolean' || isNumeric(value))) {
      throw mongoError(31395, 'positional projection cannot be used with exclusion');
    }
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
    if (mode === 'exclusion') {
      if (this.idLeaf === 'include' && this.mode === 'exclusion') this.refuseInclusion('_id');
      // What $slice and $elemMatch name stays, though it is no field to exclude.
      removeIncludes(this.root);
    }
    return { mode, root: this.root, arrayProjections: this.arrayProjections, positional: this.positional };
  }

  /** For a projection of nothing but `_id`, `$slice` and `$elemMatch`. */
  modeWithoutFields(): Projection['mode'] {
    if (this.idLeaf !== undefined) return this.idLeaf === 'include' ? 'inclusion' : 'exclusion';
    return this.hasElemMatch ? 'inclusion' : 'exclusion';
  }
}

function removeIncludes(branch: ProjectionBranch): void {
  for (const [name, child] of branch.children) {
    if (child.kind === 'include') branch.children.delete(name);
    else if (child.kind === 'branch') removeIncludes(child);
  }
}
