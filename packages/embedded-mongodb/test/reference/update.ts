import { BSONRegExp, type BsonValue, type Document, ObjectId } from '../../src/bson/document.ts';
import { type Modifier, parseModifier } from './modifiers.ts';
import { isEqual, isIdentical } from './order.ts';
import { parsePipeline } from './pipeline.ts';
import { Rejected, rejectUnless, together } from './rejected.ts';

export interface Updated {
  document: Document;
  /** Whether `nModified` counts the document. Undefined if MongoDB writes the document without a change. */
  isModified: boolean | undefined;
}

export interface Update {
  kind: 'modifiers' | 'replacement' | 'pipeline';
  apply(document: Document): Updated;
  /** Creates the document of an upsert from the equalities of the filter. */
  applyToNew(document: Document): Document;
}

/** Stands for an `_id` that the server generates. */
export const GENERATED_ID = new ObjectId('e'.repeat(24));

const UPDATE_STAGES = ['$set', '$addFields', '$project', '$replaceWith'];

export function parseUpdate(update: BsonValue): Update {
  if (Array.isArray(update)) return parsePipelineUpdate(update);
  rejectUnless(update instanceof Map, 'the update must be an object or an array');
  const [first] = update.keys();
  return first?.startsWith('$') ? parseModifiers(update) : parseReplacement(update);
}

/** Moves `_id` to the front. */
export function idFirst(document: Document): Document {
  const id = document.get('_id');
  return id === undefined ? document : new Map([['_id', id], ...document]);
}

function assertSameId(before: Document, after: Document): void {
  const id = before.get('_id');
  if (id === undefined) return;
  // An array or a pattern is never a valid _id. MongoDB rejects it with another code.
  const newId = after.get('_id');
  if (Array.isArray(newId) || newId instanceof BSONRegExp)
    throw new Rejected("the '_id' value cannot be of that type");
  rejectUnless(isEqual(after.get('_id'), id), "the immutable field '_id' was found to have been altered", 66);
}

const outcome = (before: Document, after: Document, isModified: boolean | undefined): Updated => ({
  document: after,
  isModified: isModified && isIdentical(before, after) ? undefined : isModified,
});

function parseReplacement(replacement: Document): Update {
  for (const name of replacement.keys()) rejectUnless(!name.startsWith('$'), 'dollar-prefixed field', 52);
  return { kind: 'replacement', ...replacingBy(() => replacement) };
}

function parsePipelineUpdate(stages: readonly BsonValue[]): Update {
  for (const stage of stages) {
    const name = stage instanceof Map ? stage.keys().next().value : undefined;
    rejectUnless(UPDATE_STAGES.includes(name ?? ''), 'stage not allowed in an update', 72);
  }
  const pipeline = parsePipeline(stages);
  const transform = (document: Document) =>
    pipeline({ documents: [document], isOrdered: true }).documents[0] as Document;
  return { kind: 'pipeline', ...replacingBy(transform) };
}

function replacingBy(transform: (document: Document) => Document): Pick<Update, 'apply' | 'applyToNew'> {
  const replace = (document: Document) => {
    const result = transform(document);
    const id = document.get('_id');
    const after = result.has('_id') || id === undefined ? result : new Map([['_id', id], ...result]);
    assertSameId(document, after);
    return { after: idFirst(after), hasId: result.has('_id') };
  };
  return {
    apply(document) {
      const { after, hasId } = replace(document);
      // MongoDB compares the documents only if the replacement contains an _id.
      return outcome(document, after, !hasId || !isIdentical(document, after));
    },
    applyToNew: (document) => replace(document).after,
  };
}

interface Step {
  path: string[];
  modifier: Modifier;
}

const isPosition = (name: string): boolean => /^\d+$/.test(name);

/** Sorts names as strings and array indexes as numbers. */
function compareNames(a: string, b: string): number {
  if (isPosition(a) && isPosition(b)) return Number(a) - Number(b);
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function comparePaths(a: readonly string[], b: readonly string[]): number {
  for (const [index, name] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    const order = compareNames(name, other);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function parseModifiers(update: Document): Update {
  const paths: string[][] = [];
  const fields = [...update].flatMap(([name, operands]) =>
    operands instanceof Map
      ? [...operands].map(([path, operand]) => ({ name, path: path.split('.'), operand }))
      : [],
  );
  let steps: Step[] = [];
  const parse = () => {
    steps = together(
      fields.map(({ name, path, operand }) => () => ({ path, modifier: parseModifier(name, operand) })),
    );
  };
  const checks = fields.map(
    ({ path }) =>
      () =>
        assertNoConflict(paths, path),
  );
  together([() => assertModifiers(update), ...checks, parse]);
  steps.sort((a, b) => comparePaths(a.path, b.path));
  return {
    kind: 'modifiers',
    apply: (document) => applySteps(steps, document, false),
    applyToNew: (document) => idFirst(applySteps(steps, document, true).document),
  };
}

function assertModifiers(update: Document): void {
  for (const [name, fields] of update) {
    rejectUnless(name.startsWith('$'), 'unknown modifier', 9);
    rejectUnless(fields instanceof Map, 'modifiers operate on fields but found another type instead', 9);
    for (const path of fields.keys()) rejectUnless(!path.split('.').includes(''), 'an empty field name', 56);
  }
}

function assertNoConflict(others: string[][], path: string[]): void {
  const isApart = (other: readonly string[]) =>
    path.some((name, index) => index < other.length && name !== other[index]);
  const hasConflict = !others.every(isApart);
  others.push(path);
  rejectUnless(!hasConflict, 'updating the path would create a conflict', 40);
}

function applySteps(steps: readonly Step[], before: Document, isInsert: boolean): Updated {
  const document = copyDocument(before);
  const applied = steps
    .filter(({ modifier }) => isInsert || !modifier.isOnlyForInsert)
    .map(({ path, modifier }) => () => {
      const isChanged = applyAt(document, path, modifier);
      if (isChanged && path[0] === '_id') assertUnchangedId(before, document, path);
      return isChanged;
    });
  const isModified = together(applied).includes(true);
  return outcome(before, idFirst(document), isModified);
}

/** An `_id` can be added if it is missing. Otherwise it must stay identical. */
function assertUnchangedId(before: Document, after: Document, path: readonly string[]): void {
  if (!before.has('_id') && path.length === 1) return;
  if (!isIdentical(before.get('_id'), after.get('_id')))
    throw new Rejected("would modify the immutable field '_id'", 66);
}

function copy(value: BsonValue): BsonValue {
  if (value instanceof Map) return copyDocument(value);
  return Array.isArray(value) ? value.map(copy) : value;
}

/** A copy in which no two fields share an array, unlike in the result of a pipeline. */
export const copyDocument = (document: Document): Document =>
  new Map([...document].map(([name, field]) => [name, copy(field)]));

type Container = Document | BsonValue[];

function childOf(container: Container, name: string): BsonValue | undefined {
  if (container instanceof Map) return container.get(name);
  return isPosition(name) ? container[Number(name)] : undefined;
}

function setChild(container: Container, name: string, value: BsonValue): void {
  if (container instanceof Map) container.set(name, value);
  else {
    while (container.length < Number(name)) container.push(null);
    container[Number(name)] = value;
  }
}

/** Applies the modifier to the field at the path. Returns whether that changed anything. */
function applyAt(container: Container, path: readonly string[], modifier: Modifier): boolean {
  const [name, ...rest] = path as [string, ...string[]];
  const child = childOf(container, name);
  if (child === undefined) return create(container, name, rest, modifier);
  if (rest.length === 0) return change(container, name, child, modifier);
  if (child instanceof Map || Array.isArray(child)) return applyAt(child, rest, modifier);
  return blocked(modifier);
}

/** Handles a path through a value that cannot have fields. */
function blocked(modifier: Modifier): boolean {
  rejectUnless(modifier.passesBlockedPath === true, 'cannot create field in element', 28);
  return false;
}

function create(container: Container, name: string, rest: readonly string[], modifier: Modifier): boolean {
  if (Array.isArray(container) && !isPosition(name)) return blocked(modifier);
  if (modifier.onMissing === undefined) return false;
  const nest = (inner: BsonValue, one: string): BsonValue => new Map([[one, inner]]);
  const value = [...rest].reverse().reduce(nest, modifier.onMissing());
  setChild(container, name, copy(value));
  return true;
}

function change(container: Container, name: string, value: BsonValue, modifier: Modifier): boolean {
  const result = modifier.onValue(value);
  if (result === undefined) return false;
  if (result !== 'remove') setChild(container, name, copy(result.value));
  else if (container instanceof Map) container.delete(name);
  else setChild(container, name, null);
  return true;
}

/** The fields that the filter requires to equal a value. */
function equalitiesOf(filter: Document): [string, BsonValue][] {
  return [...filter].flatMap(([name, operand]) => {
    if (name === '$and' || (name === '$or' && Array.isArray(operand) && operand.length === 1)) {
      return (operand as Document[]).flatMap(equalitiesOf);
    }
    return name.startsWith('$')
      ? []
      : equalValuesOf(operand).map((value): [string, BsonValue] => [name, value]);
  });
}

/** The values that the condition requires the field to equal. */
function equalValuesOf(operand: BsonValue): BsonValue[] {
  if (!(operand instanceof Map) || !operand.keys().next().value?.startsWith('$')) {
    return operand instanceof BSONRegExp ? [] : [operand];
  }
  return [...operand].flatMap(([name, value]) => {
    if (name === '$eq') return [value];
    if (name !== '$in' || !Array.isArray(value)) return [];
    return value.every((one) => isEqual(one, value[0])) ? value.slice(0, 1) : [];
  });
}

function assertOneValueEach(paths: readonly string[]): void {
  for (const [index, path] of paths.entries()) {
    for (const other of paths.slice(index + 1)) {
      const isConflict = other === path || other.startsWith(`${path}.`) || path.startsWith(`${other}.`);
      rejectUnless(!isConflict, 'cannot infer query fields to set', 54);
    }
  }
}

/** The document that an upsert inserts. A placeholder stands for an `_id` that the server generates. */
export function documentForUpsert(
  filter: Document,
  update: Update,
): { document: Document; hasOwnId: boolean } {
  const seed: Document = new Map();
  const equalities = equalitiesOf(filter)
    .filter(([path]) => update.kind !== 'replacement' || path.split('.')[0] === '_id')
    .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  assertOneValueEach(equalities.map(([path]) => path));
  for (const [path, value] of equalities) {
    const isWholeId = update.kind !== 'replacement' || path === '_id';
    rejectUnless(isWholeId, 'the _id must be exactly specified', 111);
    applyAt(seed, path.split('.'), { onValue: () => undefined, onMissing: () => value });
  }
  const document = update.applyToNew(seed);
  if (document.has('_id')) return { document, hasOwnId: true };
  return {
    document: idFirst(new Map([...document, ['_id', GENERATED_ID]])),
    hasOwnId: false,
  };
}
