import type { BsonValue, Document } from '../../src/bson/document.ts';
import { isTrue } from './arithmetic.ts';
import { type Evaluate, parseExpression } from './expressions.ts';
import { isNumber } from './numbers.ts';
import type { Maybe } from './order.ts';
import { Rejected, rejectUnless, together } from './rejected.ts';

export type Transform = (document: Document) => Document;

/** The effect on a field: kept, removed, computed, or changed within. */
type Plan = 'keep' | 'remove' | Evaluate | PlanTree;
type PlanTree = Map<string, Plan>;

/** Parses `$project`, or the projection of `find`, which computes nothing. */
export function parseProjection(specification: Document, isFind = false): Transform {
  if (isFind && specification.size === 0) return (document) => document;
  rejectUnless(specification.size > 0, 'the specification must have at least one field');
  const plan: PlanTree = new Map();
  const parsers = [...specification].map(
    ([path, value]) =>
      () =>
        addAtPath(plan, path.split('.'), leafOf(path, value, isFind)),
  );
  together<unknown>([...parsers, () => includes(plan)]);
  const isInclusion = includes(plan);
  if (isInclusion && !plan.has('_id')) plan.set('_id', 'keep');
  const project = isInclusion ? keepIn : excludeIn;
  return (document) => computeIn(plan, project(plan, document), document);
}

function leafOf(path: string, value: BsonValue, isFind: boolean): Plan {
  if (typeof value === 'boolean' || isNumber(value)) return isTrue(value) ? 'keep' : 'remove';
  const name = value instanceof Map ? value.keys().next().value : '$';
  rejectUnless(name !== undefined, 'an empty object is not a valid value');
  // In an exclusion, MongoDB rejects a computed field with another code.
  if (isFind || !name.startsWith('$') || path.includes('.'))
    throw new Rejected('a computed field', isFind ? 238 : undefined);
  return parseExpression(value);
}

/** Whether the projection is an inclusion. `_id` decides this only if there is no other field. */
function includes(plan: PlanTree): boolean {
  const leaves = leavesOf(
    new Map([...plan].filter(([name, one]) => name !== '_id' || typeof one !== 'string')),
  );
  const isInclusion = leaves.some((leaf) => leaf !== 'remove');
  const isExclusion = leaves.includes('remove');
  rejectUnless(!(isInclusion && isExclusion), 'cannot mix inclusion and exclusion');
  return isInclusion || (!isExclusion && plan.get('_id') === 'keep');
}

function leavesOf(plan: PlanTree): Plan[] {
  return [...plan.values()].flatMap((one) => (one instanceof Map ? leavesOf(one) : [one]));
}

/** Parses `$addFields`. */
export function parseAddedFields(specification: Document): Transform {
  const plan: PlanTree = new Map();
  together(
    [...specification].map(([path, value]) => () => {
      const isNested = value instanceof Map && value.size > 0 && !value.keys().next().value?.startsWith('$');
      if (isNested || path.includes('.')) throw new Rejected('a nested computed field', 238);
      addAtPath(plan, [path], parseExpression(value));
    }),
  );
  return (document) => computeIn(plan, document, document);
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

/** Keeps the included fields in the order of the document. */
function keepIn(plan: PlanTree, document: Document): Document {
  const kept: Document = new Map();
  for (const [name, value] of document) {
    const one = plan.get(name);
    const result = one === 'keep' ? value : one instanceof Map ? keepWithin(one, value) : undefined;
    if (result !== undefined) kept.set(name, result);
  }
  return kept;
}

/** Keeps only documents of a value with included fields. */
function keepWithin(plan: PlanTree, value: BsonValue): Maybe {
  if (value instanceof Map) return keepIn(plan, value);
  if (!Array.isArray(value)) return undefined;
  return value.map((element) => keepWithin(plan, element)).filter((element) => element !== undefined);
}

function excludeIn(plan: PlanTree, document: Document): Document {
  const rest: Document = new Map();
  for (const [name, value] of document) {
    const one = plan.get(name);
    if (one !== 'remove') rest.set(name, one instanceof Map ? excludeWithin(one, value) : value);
  }
  return rest;
}

function excludeWithin(plan: PlanTree, value: BsonValue): BsonValue {
  if (value instanceof Map) return excludeIn(plan, value);
  return Array.isArray(value) ? value.map((element) => excludeWithin(plan, element)) : value;
}

/** Sets the computed fields. A missing result removes the field. */
function computeIn(plan: PlanTree, document: Document, root: Document): Document {
  const result: Document = new Map(document);
  for (const [name, one] of plan) {
    if (typeof one !== 'function') continue;
    const value = one(root);
    if (value === undefined) result.delete(name);
    else result.set(name, value);
  }
  return result;
}
