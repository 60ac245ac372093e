import { BSON } from 'bson';
import { type BsonValue, type Document, encode } from '../../src/bson/document.ts';
import { command, createIndex, index, insertion } from './commands.ts';
import type { InProcessServer } from './in-process-server.ts';
import { Random } from './random.ts';
import { kindOf, type Outcome, Trial } from './trial.ts';
import { document, value } from './values.ts';
import { isInternalError } from './verdict.ts';

const COMMANDS_PER_COLLECTION = 30;
const SPOILT_PER_COLLECTION = 30;
const MAX_DOCUMENTS = 12;

export interface Differences {
  /** The number of compared commands by name. */
  compared: Map<string, number>;
  /** The number of commands that both sides reject. */
  rejected: number;
  /** The number of commands whose result MongoDB does not determine. */
  undetermined: number;
  differences: number;
}

export interface Options {
  server: InProcessServer;
  cases: number;
  seed: number;
  onDifference(description: string): void;
  onProgress?(found: Differences): void;
}

/** Runs random commands in the server and in the reference until `cases` results are compared. */
export function compareWithReference({
  server,
  cases,
  seed,
  onDifference,
  onProgress,
}: Options): Differences {
  const found: Differences = { compared: new Map(), rejected: 0, undetermined: 0, differences: 0 };
  for (let collection = 0; total(found) < cases; collection += 1) {
    runCollection(server, new Random(seed + collection), found, (description) => {
      found.differences += 1;
      onDifference(`seed ${seed + collection}\n${description}`);
    });
    server.flush();
    onProgress?.(found);
  }
  return found;
}

/** The number of compared commands. */
export const total = ({ compared }: Differences): number =>
  [...compared.values()].reduce((sum, count) => sum + count, 0);

/** Creates a collection and runs commands on it up to the first difference, then commands with a wrong value. */
function runCollection(
  server: InProcessServer,
  random: Random,
  found: Differences,
  onDifference: (description: string) => void,
): void {
  const trial = new Trial(server);
  const isRight = (next: Document): boolean => {
    const { documents } = trial.reference;
    const outcome = trial.run(next);
    count(found, next, outcome);
    if (outcome?.isRight === false) onDifference(describe(documents, trial.indexes, next, outcome));
    return outcome?.isRight !== false;
  };
  if (!preparation(random).every(isRight)) return;
  for (let left = COMMANDS_PER_COLLECTION; left > 0; left -= 1) {
    const { documents } = trial.reference;
    if (!isRight(command({ random, documents, indexes: trial.indexes }))) return;
  }
  for (let left = SPOILT_PER_COLLECTION; left > 0; left -= 1) {
    const { documents } = trial.reference;
    const spoilt = spoil(random, command({ random, documents, indexes: trial.indexes }));
    const reply = server.run(spoilt);
    if (isInternalError(reply)) onDifference(`command ${textOf(spoilt)}\nserver  ${textOf(reply)}`);
  }
}

/** The document with any value instead of one of the values within it. */
function spoil(random: Random, document: Document): Document {
  const [name, field] = random.pick([...document]);
  return new Map(document).set(name, spoilValue(random, field));
}

function spoilValue(random: Random, given: BsonValue): BsonValue {
  const isEmpty = given instanceof Map ? given.size === 0 : !Array.isArray(given) || given.length === 0;
  if (isEmpty || random.chance(0.3)) return value(random);
  if (given instanceof Map) return spoil(random, given);
  const at = random.int(0, (given as BsonValue[]).length - 1);
  return (given as BsonValue[]).with(at, spoilValue(random, (given as BsonValue[])[at] as BsonValue));
}

/** Inserts documents one by one, and creates some indexes before and some after them. */
function preparation(random: Random): Document[] {
  const documents = random.list(random.chance(0.1) ? 0 : 3, MAX_DOCUMENTS, () => document(random));
  const indexes = differentKeys(
    random.list(0, 4, () => index({ random, documents }, `i${random.int(0, 1e9)}`)),
  ).map(createIndex);
  const before = random.int(0, indexes.length);
  return [...indexes.slice(0, before), ...documents.map((one) => insertion([one])), ...indexes.slice(before)];
}

function count(found: Differences, next: Document, outcome: Outcome | undefined): void {
  if (outcome === undefined) {
    found.undetermined += 1;
    return;
  }
  const kind = kindOf(next);
  found.compared.set(kind, (found.compared.get(kind) ?? 0) + 1);
  if (outcome.reply.kind === 'rejected') found.rejected += 1;
}

/** Removes indexes with equal keys, which MongoDB allows only with some options. */
function differentKeys(indexes: readonly Document[]): Document[] {
  const keys = indexes.map((one) => textOf(one.get('key')));
  return indexes.filter((_, position) => keys.indexOf(keys[position] ?? '') === position);
}

function describe(
  documents: readonly Document[],
  indexes: readonly Document[],
  next: Document,
  { expected, reply, documents: after }: Outcome,
): string {
  return [
    `documents ${documents.map(textOf).join('\n          ')}`,
    `indexes   ${indexes.map(textOf).join('\n          ')}`,
    `command   ${textOf(next)}`,
    `server    ${textOf(reply)} and then ${textOf(after)}`,
    `reference ${expected.map(textOf).join('\n       or ')}`,
  ].join('\n');
}

/** Extended JSON, with the types of values. */
function textOf(value: unknown): string {
  return BSON.EJSON.stringify(plain(value), { relaxed: false });
}

function plain(value: unknown): unknown {
  if (value instanceof Map) return BSON.deserialize(encode(value as Document), { promoteValues: false });
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== 'object' || '_bsontype' in value || value instanceof Date)
    return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, plain(field)]));
}
