import { type BsonValue, type Document, ObjectId } from '../../src/bson/document.ts';
import type { Alternative, Expected, ExpectedReply, Group } from '../reference/expected.ts';
import { isEqual, isIdentical } from '../reference/order.ts';
import { GENERATED_ID } from '../reference/update.ts';
import type { Reply } from './in-process-server.ts';

/** The codes of internal errors, which no command may return. */
const INTERNAL_ERRORS = [1, 8, 301];

export function isInternalError(reply: Reply): boolean {
  return reply.kind === 'rejected' && reply.codes.some((code) => INTERNAL_ERRORS.includes(code));
}

/** Whether the reply, and the documents after the command if given, are among the expected ones. */
export function isAsExpected(
  expected: Expected,
  reply: Reply,
  documents: readonly Document[] | undefined,
): boolean {
  return expected.some((alternative) => isAlternative(alternative, reply, documents));
}

function isAlternative(
  { reply: wanted, after }: Alternative,
  reply: Reply,
  documents: readonly Document[] | undefined,
) {
  return isReply(wanted, reply) && (documents === undefined || areVersions(after, documents));
}

/** Whether the documents consist of exactly one version of each expected document. */
function areVersions(after: Alternative['after'], documents: readonly Document[]): boolean {
  const left = documents.map(comparable);
  for (const versions of after) {
    const index = left.findIndex((document) =>
      versions.some((version) => version !== undefined && isIdentical(comparable(version), document)),
    );
    if (index >= 0) left.splice(index, 1);
    else if (!versions.includes(undefined)) return false;
  }
  return left.length === 0;
}

function isReply(wanted: ExpectedReply, reply: Reply): boolean {
  if (wanted.kind === 'rejected') return reply.kind === 'rejected' && areCodes(wanted.codes, reply.codes);
  if (wanted.kind === 'documents')
    return reply.kind === 'documents' && areDocuments(wanted.groups, reply.documents);
  if (reply.kind !== 'fields') return false;
  if (wanted.kind === 'values')
    return areValues(wanted.candidates, reply.fields.get('values') as BsonValue[]);
  return [...wanted.fields].every(([name, value]) =>
    isIdentical(comparable(value), comparable(reply.fields.get(name) ?? null)),
  );
}

function areCodes(wanted: readonly (number | undefined)[], codes: readonly number[]): boolean {
  return codes.every(
    (code) => !INTERNAL_ERRORS.includes(code) && wanted.some((one) => one === undefined || one === code),
  );
}

function areDocuments(groups: readonly Group[], documents: readonly Document[]): boolean {
  let position = 0;
  for (const { candidates, take } of groups) {
    const left = candidates.map(comparable);
    for (const document of documents.slice(position, position + take)) {
      const index = left.findIndex((candidate) => isIdentical(candidate, comparable(document)));
      if (index < 0) return false;
      left.splice(index, 1);
    }
    position += take;
  }
  return position === documents.length;
}

function areValues(candidates: readonly BsonValue[], values: readonly BsonValue[]): boolean {
  return (
    values.every(
      (value, index) =>
        candidates.some((one) => isIdentical(one, value)) &&
        values.findIndex((one) => isEqual(one, value)) === index,
    ) && candidates.every((candidate) => values.some((value) => isEqual(candidate, value)))
  );
}

const RECENT_SECONDS = 24 * 3600;

/** An ObjectId that the server generates contains the current time. */
function isMadeByServer(id: ObjectId): boolean {
  return Math.abs(Date.now() / 1000 - id.getTimestamp().getTime() / 1000) < RECENT_SECONDS;
}

/** The value with a placeholder for each `_id` that the server generated. */
function comparable(value: BsonValue): BsonValue {
  if (value instanceof ObjectId) return isMadeByServer(value) ? GENERATED_ID : value;
  if (Array.isArray(value)) return value.map(comparable);
  if (!(value instanceof Map)) return value;
  return new Map([...value].map(([name, field]) => [name, comparable(field)]));
}
