import { BsonUndefined, type BsonValue, isNumeric, typeNumber } from '../bson/document.ts';
import type { Collation } from '../semantics/collation.ts';
import { compareValues, typeClassOf } from '../semantics/compare.ts';
import type { FilterNode, PathNode, Predicate } from '../semantics/filter.ts';

/**
 * Whether every document that meets the query's predicates also meets the partial filter expression, so that a
 * partial index holds all of them. Says no when unsure.
 */
export function impliesFilter(
  predicates: readonly PathNode[],
  partial: FilterNode,
  collation?: Collation,
): boolean {
  if (partial.kind === 'and')
    return partial.children.every((child) => impliesFilter(predicates, child, collation));
  if (partial.kind === 'or')
    return partial.children.some((child) => impliesFilter(predicates, child, collation));
  if (partial.kind !== 'path') return false;
  return predicates.some(
    ({ path, predicate }) => path === partial.path && implies(predicate, partial.predicate, collation),
  );
}

/** Whether a predicate can only be met by a document that has the field. */
export function impliesExistence({ predicate }: PathNode): boolean {
  switch (predicate.kind) {
    case 'compare':
      return !isNothing(predicate.value);
    case 'in':
      return !predicate.values.some(isNothing);
    default:
      return true;
  }
}

function isNothing(value: BsonValue): boolean {
  return value === null || value instanceof BsonUndefined;
}

function implies(asked: Predicate, partial: Predicate, collation: Collation | undefined): boolean {
  if (partial.kind === 'exists') return impliesExistence({ predicate: asked } as PathNode);
  const values = possibleValues(asked);
  if (values !== undefined)
    return values.length > 0 && values.every((value) => isMetBy(partial, value, collation));
  if (asked.kind !== 'compare') return false;
  if (partial.kind === 'type') return isMetByClassOf(partial, asked.value);
  return partial.kind === 'compare' && rangeImplies(asked, partial, collation);
}

/** The values one of which must be there, for predicates that name them. */
function possibleValues(asked: Predicate): BsonValue[] | undefined {
  if (asked.kind === 'in') return asked.regexes.length === 0 ? asked.values : undefined;
  return asked.kind === 'compare' && asked.operator === 'eq' ? [asked.value] : undefined;
}

function isMetBy(partial: Predicate, value: BsonValue, collation: Collation | undefined): boolean {
  // An equality with an array or null is met by more than that very value.
  if (isNothing(value) || Array.isArray(value)) {
    return (
      partial.kind === 'compare' &&
      partial.operator === 'eq' &&
      compareValues(partial.value, value, collation) === 0
    );
  }
  if (partial.kind === 'in')
    return partial.values.some((wanted) => compareValues(wanted, value, collation) === 0);
  if (partial.kind === 'type') {
    // Equal numbers may be of different types.
    return isNumeric(value) ? partial.matchesAnyNumber : partial.types.has(typeNumber(value));
  }
  if (partial.kind !== 'compare') return false;
  if (typeClassOf(partial.value) !== typeClassOf(value)) return false;
  const order = compareValues(value, partial.value, collation);
  switch (partial.operator) {
    case 'eq':
      return order === 0;
    case 'gt':
      return order > 0;
    case 'gte':
      return order >= 0;
    case 'lt':
      return order < 0;
    case 'lte':
      return order <= 0;
  }
}

/** A range only finds values of its operand's class. */
function isMetByClassOf(partial: Predicate & { kind: 'type' }, value: BsonValue): boolean {
  if (value === null || Array.isArray(value) || value instanceof Map) return false;
  if (isNumeric(value)) return partial.matchesAnyNumber;
  return typeof value === 'string' || value instanceof Date ? partial.types.has(typeNumber(value)) : false;
}

type Comparison = Predicate & { kind: 'compare' };

function rangeImplies(asked: Comparison, partial: Comparison, collation: Collation | undefined): boolean {
  if (typeClassOf(asked.value) !== typeClassOf(partial.value)) return false;
  const order = compareValues(asked.value, partial.value, collation);
  const isUp = partial.operator === 'gt' || partial.operator === 'gte';
  const isDown = partial.operator === 'lt' || partial.operator === 'lte';
  if (isUp && (asked.operator === 'gt' || asked.operator === 'gte')) {
    return order > 0 || (order === 0 && (partial.operator === 'gte' || asked.operator === 'gt'));
  }
  if (isDown && (asked.operator === 'lt' || asked.operator === 'lte')) {
    return order < 0 || (order === 0 && (partial.operator === 'lte' || asked.operator === 'lt'));
  }
  return false;
}
