import type { BsonValue } from '../bson/document.ts';
import { equalValues } from '../semantics/compare.ts';
import type { FilterNode, PathNode, Predicate } from '../semantics/filter.ts';
import { type Conditions, conditionsOf } from './conditions.ts';

/**
 * Whether the partial index contains every document that satisfies the conditions: all of them also satisfy its partial
 * filter expression. False if that is not certain.
 */
export function impliesFilter(asked: Conditions, partial: FilterNode): boolean {
  if (partial.kind === 'and') return partial.children.every((child) => impliesFilter(asked, child));
  if (partial.kind === 'or' && partial.children.some((child) => impliesFilter(asked, child))) return true;
  if (partial.kind === 'path' && asked.paths.some((node) => implies(node, partial))) return true;
  return asked.alternatives.some((branches) =>
    branches.every((branch) => impliesFilter(conditionsOf(branch), partial)),
  );
}

function implies({ path, predicate: asked, test }: PathNode, partial: PathNode): boolean {
  if (path !== partial.path) return false;
  if (partial.predicate.kind === 'exists') return !test(undefined);
  if (asked.kind === 'in') return asked.values.every((value) => equalityImplies(value, partial));
  if (asked.kind !== 'compare') return false;
  return asked.operator === 'eq' ? equalityImplies(asked.value, partial) : rangeImplies(asked, partial);
}

function equalityImplies(value: BsonValue, { test }: PathNode): boolean {
  // Null also matches a missing field.
  return test(value) && (value !== null || test(undefined));
}

type Comparison = Predicate & { kind: 'compare' };

function rangeImplies(asked: Comparison, { predicate: partial, test }: PathNode): boolean {
  if (partial.kind !== 'compare' || isUpward(asked) !== isUpward(partial) || partial.operator === 'eq')
    return false;
  const isSame = asked.operator === partial.operator && equalValues(asked.value, partial.value);
  return isSame || test(asked.value);
}

function isUpward({ operator }: Comparison): boolean {
  return operator === 'gt' || operator === 'gte';
}
