import type { BsonValue, Document } from '../../src/bson/document.ts';
import { isTrue } from './expression.ts';
import { parseExpression } from './expressions.ts';
import { parseFilter } from './filter.ts';
import { exactly, isFiniteNumber, isNumber, truncate } from './numbers.ts';
import type { Maybe } from './order.ts';
import { Rejected, rejectUnless, together, Undetermined } from './rejected.ts';

export type Transform = (document: Document) => Document;

/** The effect on a field: kept, removed, sliced, computed, or changed within. */
type Plan = 'keep' | 'remove' | 'slice' | Computed | PlanTree;
type PlanTree = Map<string, Plan>;

interface Computed {
  compute(root: Document): Maybe;
  isElemMatch: boolean;
}

/** A `$slice` of find on a field. */
interface Slice {
  path: readonly string[];
  skip: number | undefined;
  limit: number;
}

interface Projection {
  plan: PlanTree;
  slices: Slice[];
  isFind: boolean;
}

const isComputed = (plan: Plan | undefined): plan is Computed =>
  typeof plan === 'object' && 'compute' in plan;

/** Removes the holes of an array. */
const withoutHoles = (values: readonly Maybe[]): BsonValue[] => values.filter((value) => value !== undefined);

/** Parses `$project`, or the projection of `find` with `$slice` and `$elemMatch`. */
export function parseProjection(specification: Document, isFind = false): Transform {
  if (isFind && specification.size === 0) return (document) => document;
  rejectUnless(specification.size > 0, 'the specification must have at least one field');
  const projection: Projection = { plan: new Map(), slices: [], isFind };
  const parsers = [...specification].map(
    ([path, value]) =>
      () =>
        addToPlan(projection, path.split('.'), value),
  );
  together<unknown>([...parsers, () => includes(projection)]);
  const { plan, slices } = projection;
  const isInclusion = includes(projection);
  if (isInclusion && !plan.has('_id')) plan.set('_id', 'keep');
  const project = isInclusion ? including(plan) : excluding(plan);
  return (document) => slices.reduce((result, slice) => sliceIn(result, slice), project(document));
}

/** Whether the projection is an inclusion. `_id` decides this only if there is no other field. */
function includes({ plan, slices }: Projection): boolean {
  const leaves = leavesOf(
    new Map([...plan].filter(([name, one]) => name !== '_id' || typeof one !== 'string')),
  );
  const hasElemMatch = leaves.some((leaf) => isComputed(leaf) && leaf.isElemMatch);
  const isInclusion = leaves.some((leaf) => leaf === 'keep' || (isComputed(leaf) && !leaf.isElemMatch));
  const isExclusion = leaves.includes('remove');
  rejectUnless(!(isInclusion && isExclusion), 'cannot mix inclusion and exclusion');
  if (isInclusion) return true;
  const isIdIncluded = plan.get('_id') === 'keep';
  const result = !isExclusion && (isIdIncluded || (slices.length === 0 && hasElemMatch));
  if (!result && hasElemMatch) throw new Undetermined('$elemMatch in an exclusion');
  return result;
}

/** Parses `$addFields`. A document without an operator specifies nested fields. */
export function parseAddedFields(specification: Document): Transform {
  const plan: PlanTree = new Map();
  const fields = [...specification].flatMap(([path, value]) => addedFieldsOf(path.split('.'), value));
  // MongoDB does not check the path of an empty document for collisions.
  const isOpen = fields.some(({ value }) => value instanceof Map && value.size === 0);
  try {
    together(
      fields.map(
        ({ path, value }) =>
          () =>
            addAtPath(plan, path, computed(value)),
      ),
    );
  } catch (error) {
    if (error instanceof Rejected && isOpen) throw new Undetermined('a collision with an empty document');
    throw error;
  }
  return (document) => computeIn(plan, document, document);
}

interface AddedField {
  path: readonly string[];
  value: BsonValue;
}

function addedFieldsOf(path: readonly string[], value: BsonValue): AddedField[] {
  const isNested = value instanceof Map && value.size > 0 && !isOperator(value);
  if (!isNested) return [{ path, value }];
  return [...value].flatMap(([name, inner]) => addedFieldsOf([...path, ...name.split('.')], inner));
}

/** The effect of `$unset` on the paths. */
export function excludingPaths(paths: readonly string[]): Transform {
  const plan: PlanTree = new Map();
  for (const path of paths) addAtPath(plan, path.split('.'), 'remove');
  return excluding(plan);
}

const computed = (value: BsonValue): Computed => ({ compute: parseExpression(value), isElemMatch: false });

const isOperator = (value: Document): boolean => value.keys().next().value?.startsWith('$') ?? false;

function addToPlan(projection: Projection, path: readonly string[], value: BsonValue): void {
  const { plan, slices, isFind } = projection;
  if (value instanceof Map && !isOperator(value)) {
    rejectUnless(value.size > 0, 'an empty object is not a valid value');
    for (const [name, inner] of value) addToPlan(projection, [...path, ...name.split('.')], inner);
    return;
  }
  const slice = isFind && value instanceof Map ? parseSlice(value.get('$slice')) : undefined;
  if (slice !== undefined) slices.push({ path, ...slice });
  addAtPath(plan, path, slice === undefined ? leafOf(path, value, isFind) : 'slice');
}

function leafOf(path: readonly string[], value: BsonValue, isFind: boolean): Plan {
  if (typeof value === 'boolean' || isNumber(value)) return isTrue(value) ? 'keep' : 'remove';
  const isElemMatch = isFind && value instanceof Map && value.has('$elemMatch');
  return isElemMatch ? parseElemMatch(path, value) : computed(value);
}

function addAtPath(plan: PlanTree, path: readonly string[], leaf: Plan): void {
  const [name, ...rest] = path as [string, ...string[]];
  rejectUnless(name !== '' && !name.startsWith('$'), 'invalid field path');
  const known = plan.get(name);
  if (rest.length === 0) {
    rejectUnless(known === undefined, 'path collision');
    plan.set(name, leaf);
    return;
  }
  rejectUnless(known === undefined || known instanceof Map, 'path collision');
  const child: PlanTree = known ?? new Map();
  plan.set(name, child);
  addAtPath(child, rest, leaf);
}

function leavesOf(plan: PlanTree): Plan[] {
  return [...plan.values()].flatMap((one) => (one instanceof Map ? leavesOf(one) : [one]));
}

function including(plan: PlanTree): Transform {
  return (document) => computeIn(plan, keepIn(plan, document), document);
}

/** Keeps the included fields in the order of the document. */
function keepIn(plan: PlanTree, document: Document): Document {
  const kept: Document = new Map();
  for (const [name, value] of document) {
    const one = plan.get(name);
    const result =
      one === 'keep' || one === 'slice' ? value : one instanceof Map ? keepWithin(one, value) : undefined;
    if (result !== undefined) kept.set(name, result);
  }
  return kept;
}

/** Keeps only documents of a value with included fields. Other elements leave holes for computed fields. */
function keepWithin(plan: PlanTree, value: BsonValue): Maybe {
  if (value instanceof Map) return keepIn(plan, value);
  if (!Array.isArray(value)) return undefined;
  const kept = value.map((element) => keepWithin(plan, element));
  return hasComputed(plan) ? (kept as BsonValue[]) : withoutHoles(kept);
}

const hasComputed = (plan: PlanTree): boolean => leavesOf(plan).some(isComputed);

function excluding(plan: PlanTree): Transform {
  return (document) => {
    const rest: Document = new Map();
    for (const [name, value] of document) {
      const one = plan.get(name);
      if (one === 'remove') continue;
      rest.set(name, one instanceof Map ? excludeWithin(one, value) : value);
    }
    return rest;
  };
}

function excludeWithin(plan: PlanTree, value: BsonValue): BsonValue {
  if (value instanceof Map) return excluding(plan)(value);
  return Array.isArray(value) ? value.map((element) => excludeWithin(plan, element)) : value;
}

/** Sets the computed fields. A missing result removes the field. */
function computeIn(plan: PlanTree, document: Document, root: Document): Document {
  const result: Document = new Map(document);
  for (const [name, one] of plan) {
    if (typeof one === 'string' || (one instanceof Map && !hasComputed(one))) continue;
    const value = one instanceof Map ? computeWithin(one, result.get(name), root) : one.compute(root);
    if (value === undefined) result.delete(name);
    else result.set(name, value);
  }
  return result;
}

/** Applies to each element of an array. Replaces other values by a document. */
function computeWithin(plan: PlanTree, value: Maybe, root: Document): BsonValue {
  if (Array.isArray(value)) return Array.from(value, (element) => computeWithin(plan, element, root));
  return computeIn(plan, value instanceof Map ? value : new Map(), root);
}

/** An array of the first matching element. */
function parseElemMatch(path: readonly string[], value: Document): Computed {
  rejectUnless(path.length === 1 && value.size === 1, 'cannot use $elemMatch projection on a nested field');
  const [name] = path as [string];
  const condition = value.get('$elemMatch');
  rejectUnless(condition instanceof Map, 'elemMatch: invalid argument, object required');
  const matches = parseFilter(new Map([[name, value]]));
  const compute = (root: Document) => {
    const array = root.get(name);
    if (!Array.isArray(array)) return undefined;
    const found = array.find((element) => matches(new Map([[name, [element]]])));
    return found === undefined ? undefined : [found];
  };
  return { compute, isElemMatch: true };
}

/** Returns undefined for the operator `$slice`, which has other operands than that of `find`. */
function parseSlice(value: Maybe): Omit<Slice, 'path'> | undefined {
  if (isNumber(value)) return { skip: undefined, limit: clampedInt(value) };
  if (!Array.isArray(value) || value.length !== 2 || !value.every(isNumber)) return undefined;
  const [skip, limit] = value.map(clampedInt) as [number, number];
  rejectUnless(limit > 0, '$slice limit must be positive', 28724);
  return { skip, limit };
}

function clampedInt(value: Maybe): number {
  const exact = isNumber(value) ? exactly(value) : 'NaN';
  if (!isFiniteNumber(exact)) throw new Undetermined('a $slice by a number that is not finite');
  return Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, Number(truncate(exact))));
}

function sliceIn(document: Document, { path, ...slice }: Slice): Document {
  const [name, ...rest] = path as [string, ...string[]];
  const value = document.get(name);
  if (value === undefined) return document;
  return new Map(document).set(name, sliceWithin(value, { ...slice, path: rest }));
}

function sliceWithin(value: BsonValue, slice: Slice): BsonValue {
  if (value instanceof Map) return slice.path.length === 0 ? value : sliceIn(value, slice);
  if (!Array.isArray(value)) return value;
  if (slice.path.length === 0) return sliceArray(value, slice);
  // Does not enter arrays within arrays.
  return value.map((element) => (Array.isArray(element) ? element : sliceWithin(element, slice)));
}

function sliceArray(array: BsonValue[], { skip, limit }: Slice): BsonValue[] {
  if (skip === undefined) return limit < 0 ? array.slice(limit) : array.slice(0, limit);
  const start = skip < 0 ? Math.max(0, array.length + skip) : skip;
  return array.slice(start, start + limit);
}
