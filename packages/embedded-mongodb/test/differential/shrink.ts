import type { BsonValue, Document } from '../../src/bson/document.ts';
import type { InProcessServer } from './in-process-server.ts';
import { type Reproduction, rerun } from './trial.ts';

const MAX_ATTEMPTS = 3000;

/** Removes from the reproduction all parts that the difference does not require. */
export function shrink(server: InProcessServer, reproduction: Reproduction): Reproduction {
  let best = reproduction;
  let attempts = 0;
  const nature = natureOf(server, reproduction);
  const isSame = (candidate: Reproduction) => {
    attempts += 1;
    return isWellFormed(candidate.command) && natureOf(server, candidate) === nature;
  };
  for (;;) {
    const smaller = smallerOnes(best).find((candidate) => attempts < MAX_ATTEMPTS && isSame(candidate));
    if (smaller === undefined) return best;
    best = smaller;
  }
}

/** What the two sides disagree on; undefined if they agree. Shrinking must not replace it by another difference. */
function natureOf(server: InProcessServer, reproduction: Reproduction): string | undefined {
  try {
    const outcome = rerun(server, reproduction);
    if (outcome === undefined || outcome.isRight) return undefined;
    const { reply, expected } = outcome;
    const codes = reply.kind === 'rejected' ? reply.codes : [];
    return JSON.stringify([
      reply.kind,
      codes,
      expected.map((alternative) => alternative.reply.kind === 'rejected'),
    ]);
  } catch {
    return undefined;
  }
}

function smallerOnes({ documents, indexes, command }: Reproduction): Reproduction[] {
  return [
    ...withoutEach(documents).map((fewer) => ({ documents: fewer, indexes, command })),
    ...withoutEach(indexes).map((fewer) => ({ documents, indexes: fewer, command })),
    ...smallerFields(command, 1).map((smaller) => ({ documents, indexes, command: smaller })),
    ...documents.flatMap((document, index) =>
      smallerFields(document, 1).map((smaller) => ({
        documents: documents.with(index, smaller),
        indexes,
        command,
      })),
    ),
  ];
}

const withoutEach = <T>(list: readonly T[]): T[][] => list.map((_, index) => list.toSpliced(index, 1));

/** Variants of the document without one of the fields after the first `kept`, or with one of them reduced. */
function smallerFields(document: Document, kept: number): Document[] {
  const fields = [...document];
  return fields.flatMap(([name, value], index) => [
    ...(index < kept ? [] : [new Map(fields.toSpliced(index, 1))]),
    ...(index < kept
      ? []
      : smallerValues(value).map((smaller) => new Map(fields.with(index, [name, smaller])))),
  ]);
}

function smallerValues(value: BsonValue): BsonValue[] {
  if (value instanceof Map) return [...value.values(), ...smallerFields(value, 0)];
  if (!Array.isArray(value)) return [];
  return [
    ...value,
    ...withoutEach(value),
    ...value.flatMap((element, index) => smallerValues(element).map((smaller) => value.with(index, smaller))),
  ];
}

const isMap = (value: BsonValue | undefined): value is Document => value instanceof Map;
const isMapOrAbsent = (value: BsonValue | undefined): boolean => value === undefined || isMap(value);

/** Whether the reference can still parse the command. */
function isWellFormed(command: Document): boolean {
  const [operation, ...others] = ['updates', 'deletes'].flatMap(
    (name) => (command.get(name) as BsonValue[]) ?? [],
  );
  if (operation !== undefined && !(others.length === 0 && isMap(operation) && isOperation(operation)))
    return false;
  const update = command.get('update');
  const isUpdate =
    update === undefined || typeof update === 'string' || isMap(update) || Array.isArray(update);
  if (command.has('aggregate') && !command.has('cursor')) return false;
  const indexes = (command.get('indexes') ?? []) as BsonValue[];
  if (command.has('createIndexes') && !(indexes.length === 1 && indexes.every(isIndex))) return false;
  const stages = command.get('pipeline') ?? [];
  const documents = command.get('documents') ?? [];
  return (
    isUpdate &&
    ['filter', 'query', 'sort', 'projection', 'fields', 'min', 'max'].every((name) =>
      isMapOrAbsent(command.get(name)),
    ) &&
    Array.isArray(stages) &&
    stages.every(isMap) &&
    Array.isArray(documents) &&
    documents.every((document) => isMap(document) && document.has('_id'))
  );
}

function isIndex(index: BsonValue): boolean {
  return isMap(index) && isMap(index.get('key')) && typeof index.get('name') === 'string';
}

function isOperation(operation: Document): boolean {
  const update = operation.get('u');
  const isUpdate = isMap(update) || Array.isArray(update) || operation.has('limit');
  return isMap(operation.get('q')) && isUpdate;
}
