import { type Difference, type Impact, type Place, placeText } from './difference.ts';
import type { JsonSchema, OpenapiDocument } from './openapi-document.ts';
import { type Field, isAmong, type Shape, sameJson, shapeOf } from './schema-shape.ts';

interface Documents {
  released: OpenapiDocument;
  current: OpenapiDocument;
}

/**
 * Compares what two schemas accept. A difference inside a schema of `components` is reported for that schema, once, and
 * not for each operation that uses it.
 */
export function createSchemaComparison(documents: Documents, report: (difference: Difference) => void) {
  // Schemas may refer to themselves.
  const seen = new Set<string>();

  function compare(released: JsonSchema, current: JsonSchema, place: Place): void {
    const pair = JSON.stringify([place, released, current]);
    if (seen.has(pair)) return;
    seen.add(pair);
    const before = shapeOf(released, documents.released);
    const after = shapeOf(current, documents.current);
    compareTypes(before, after, place);
    const named = after.name === null ? place : placeIn(after.name, place);
    compareValues(before, after, named);
    compareFields(before, after, place, named);
    if (before.items || after.items)
      compare(before.items ?? {}, after.items ?? {}, { ...named, path: `${named.path}[]` });
    if (before.entries && after.entries)
      compare(before.entries, after.entries, { ...named, path: join(named.path, '*') });
    if (place.direction === 'request') compareRequestOnly(before, after, named);
  }

  function add(sentence: string, impact: Impact, note?: string): void {
    report({ sentence, impact, note });
  }

  /** Widening is a risk for readers, narrowing for writers. */
  function impactOf(place: Place, change: { widens: boolean; narrows: boolean }): Impact {
    return (place.direction === 'request' ? change.narrows : change.widens) ? 'breaking' : 'compatible';
  }

  function compareTypes(before: Shape, after: Shape, place: Place): void {
    const widens = [...after.types].some((type) => !isAmong(type, before.types));
    const narrows = [...before.types].some((type) => !isAmong(type, after.types));
    if (!widens && !narrows) return;
    const list = (types: ReadonlySet<string>) => [...types].map((type) => `\`${type}\``).join(', ');
    const note = `From ${list(before.types)} to ${list(after.types)}.`;
    add(`${placeText(place)} type: changed`, impactOf(place, { widens, narrows }), note);
  }

  function compareValues(before: Shape, after: Shape, place: Place): void {
    if (before.values && after.values) {
      const text = (value: string) => `${placeText(place)} value \`${value.replaceAll('"', '')}\``;
      // Readers accept new values (docs/versioning.md).
      for (const value of after.values.difference(before.values)) add(`${text(value)}: added`, 'compatible');
      for (const value of before.values.difference(after.values)) add(`${text(value)}: removed`, 'breaking');
      return;
    }
    if (!before.values && !after.values) return;
    const narrows = after.values !== null;
    const sentence = `${placeText(place)} values: ${narrows ? 'restricted' : 'unrestricted'}`;
    add(sentence, impactOf(place, { widens: !narrows, narrows }));
  }

  function compareFields(before: Shape, after: Shape, place: Place, named: Place): void {
    for (const [key, field] of after.fields) {
      const fieldPlace = placeOfField(key, field.owner, place);
      const old = before.fields.get(key);
      if (!old) add(`${placeText(fieldPlace)}: added`, impactOfNewField(field, place));
      else compareField(old, field, fieldPlace);
    }
    for (const key of before.fields.keys()) {
      if (after.fields.has(key)) continue;
      add(`${placeText({ ...named, path: join(named.path, key) })}: removed`, 'breaking');
    }
  }

  function compareField(before: Field, after: Field, place: Place): void {
    if (before.required !== after.required) {
      const narrows = after.required;
      const sentence = `${placeText(place)}: ${narrows ? 'required' : 'optional'}`;
      add(sentence, impactOf(place, { widens: !narrows, narrows }));
    }
    if (after.schema['deprecated'] === true && before.schema['deprecated'] !== true)
      add(`${placeText(place)}: deprecated`, 'compatible');
    compare(before.schema, after.schema, place);
  }

  /** Responses are open and their limits are no promise, whatever their schemas say (docs/versioning.md). */
  function compareRequestOnly(before: Shape, after: Shape, place: Place): void {
    if (before.closed !== after.closed) {
      const sentence = `${placeText(place)} unknown fields: ${after.closed ? 'rejected' : 'accepted'}`;
      add(sentence, after.closed ? 'breaking' : 'compatible');
    }
    for (const key of new Set([...before.limits.keys(), ...after.limits.keys()])) {
      const [from, to] = [before.limits.get(key), after.limits.get(key)];
      if (sameJson(from, to)) continue;
      const change = from === undefined ? 'added' : to === undefined ? 'removed' : 'changed';
      const note =
        change === 'changed' ? `From \`${JSON.stringify(from)}\` to \`${JSON.stringify(to)}\`.` : undefined;
      add(`${placeText(place)} limit \`${key}\`: ${change}`, impactOfLimit(key, from, to), note);
    }
  }

  return compare;
}

export type CompareSchemas = ReturnType<typeof createSchemaComparison>;

function impactOfNewField({ required }: Field, { direction }: Place): Impact {
  return direction === 'request' && required ? 'breaking' : 'compatible';
}

/** Others may only say in another way what was so before. */
const JUDGED_BY_PERSON = ['default', 'format', 'multipleOf', 'propertyNames'];

/** Only numbers can be compared without a person. */
function impactOfLimit(key: string, from: unknown, to: unknown): Impact {
  if (JUDGED_BY_PERSON.includes(key)) return 'undecided';
  if (to === undefined) return 'compatible';
  // The API may have had the limit before the document stated it.
  if (from === undefined) return 'undecided';
  if (typeof from !== 'number' || typeof to !== 'number') return 'undecided';
  const isLower = /^(?:min|exclusiveMin)/.test(key);
  return (isLower ? to < from : to > from) ? 'compatible' : 'breaking';
}

function placeOfField(key: string, owner: string | null, place: Place): Place {
  return owner === null ? { ...place, path: join(place.path, key) } : { ...placeIn(owner, place), path: key };
}

/** The start of a named schema, which reads the same in every operation. */
function placeIn(owner: string, { direction }: Place): Place {
  return { direction, owner, kind: direction, path: '' };
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}
