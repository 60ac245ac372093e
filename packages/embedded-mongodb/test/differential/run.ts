import type { Document } from '../../src/bson/document.ts';
import { command, createIndex, index, insertion } from './commands.ts';
import type { InProcessServer } from './in-process-server.ts';
import { Random } from './random.ts';
import { shrink } from './shrink.ts';
import { textOf } from './text.ts';
import { kindOf, type Outcome, type Reproduction, rerun, Trial } from './trial.ts';
import { document } from './values.ts';

const COMMANDS_PER_COLLECTION = 30;
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
  /** Called with a function that finds the smallest form of the difference and describes it. */
  onDifference(describe: () => string): void;
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
    runCollection(server, new Random(seed + collection), found, (describe) => {
      found.differences += 1;
      onDifference(() => `seed ${seed + collection}\n${describe()}`);
    });
    server.flush();
    onProgress?.(found);
  }
  return found;
}

/** The number of compared commands. */
export const total = ({ compared }: Differences): number =>
  [...compared.values()].reduce((sum, count) => sum + count, 0);

/** Creates a collection and runs commands on it up to the first difference. */
function runCollection(
  server: InProcessServer,
  random: Random,
  found: Differences,
  onDifference: (describe: () => string) => void,
): void {
  const trial = new Trial(server);
  const isRight = (next: Document): boolean => {
    const { documents } = trial.reference;
    const reproduction = { documents, indexes: [...trial.indexes], command: next };
    const outcome = trial.run(next);
    count(found, next, outcome);
    if (outcome?.isRight === false) onDifference(() => describe(server, reproduction, outcome));
    return outcome?.isRight !== false;
  };
  if (!preparation(random).every(isRight)) return;
  for (let left = COMMANDS_PER_COLLECTION; left > 0; left -= 1) {
    const { documents } = trial.reference;
    if (!isRight(command({ random, documents, indexes: trial.indexes }))) return;
  }
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

/** Describes the smallest form of the difference, or the original one if it does not recur on a new collection. */
function describe(server: InProcessServer, reproduction: Reproduction, outcome: Outcome): string {
  const isRepeatable = rerun(server, reproduction)?.isRight === false;
  const smallest = isRepeatable ? shrink(server, reproduction) : reproduction;
  const shown = isRepeatable ? (rerun(server, smallest) ?? outcome) : outcome;
  return [
    isRepeatable ? '' : 'comes only after the commands before it',
    `documents ${smallest.documents.map(textOf).join('\n          ')}`,
    `indexes   ${smallest.indexes.map(textOf).join('\n          ')}`,
    `command   ${textOf(smallest.command)}`,
    `server    ${shownReply(shown)}`,
    `reference ${shown.expected.map(shownAlternative).join('\n       or ')}`,
  ].join('\n');
}

function shownReply({ reply, documents }: Outcome): string {
  const stored = documents === undefined ? '' : ` and then ${documents.map(textOf).join(', ')}`;
  if (reply.kind === 'rejected') return `rejects it: ${reply.codes.join(', ')} ${reply.message}${stored}`;
  return (
    (reply.kind === 'documents' ? reply.documents.map(textOf).join(', ') : textOf(reply.fields)) + stored
  );
}

function shownAlternative({ reply, after }: Outcome['expected'][number]): string {
  const stored = ` and then ${after.map((versions) => versions.map(textOf).join(' or ')).join(', ')}`;
  if (reply.kind === 'rejected')
    return `rejects it: ${reply.codes.map((code) => code ?? 'any code').join(', ')}`;
  if (reply.kind === 'values') return `values ${reply.candidates.map(textOf).join(', ')}`;
  if (reply.kind === 'fields') return `${textOf(reply.fields)}${stored}`;
  return reply.groups
    .map(({ candidates, take }) => `${take} of ${candidates.map(textOf).join(', ')}`)
    .join('; ');
}
