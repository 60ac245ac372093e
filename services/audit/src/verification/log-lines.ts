import { setImmediate as turn } from 'node:timers/promises';
import { writeExportLine } from '@tollgate/audit-log/export-line';
import { canonicalJson } from '@tollgate/contracts/platform/canonical-json';
import type { Context } from '../context.ts';
import { toHead } from '../heads/head-store.ts';
import { type RecordDocument, toRecord } from '../records/record-document.ts';
import { checkHeadDocument, checkRecordDocument, isPlainJson, type LogCheck } from './check-documents.ts';
import { createNodeCheck } from './stored-nodes.ts';

const RECORDS_PER_TURN = 100;

/**
 * Returns the whole stored log as the lines of an export after the first, without line feeds. Checks the stored data that the lines
 * leave out.
 */
export async function* readLogLines(
  context: Context,
  { teamId, size, lastNumber, progress, findings, signal }: LogCheck,
): AsyncGenerator<string> {
  const nodeCheck = createNodeCheck(context.nodes, teamId, findings);
  const records = context.records.readAll(teamId, size)[Symbol.asyncIterator]();
  let next = await records.next();
  let written = 0;
  let heads = 0;

  async function* recordsUpTo(seq: number): AsyncGenerator<string> {
    // Records without a number have no place, and are returned with the next one.
    while (!next.done && !(next.value.seq > seq)) {
      const document = next.value;
      checkRecordDocument(document, findings);
      await nodeCheck.add(document);
      written += 1;
      progress.records_checked += 1;
      if (written % RECORDS_PER_TURN === 0) {
        await turn();
        signal.throwIfAborted();
      }
      yield recordLine(document);
      next = await records.next();
    }
  }

  for await (const document of context.heads.readAll(teamId, lastNumber)) {
    if (document.size <= size) yield* recordsUpTo(document.size);
    checkHeadDocument(document, findings);
    heads += 1;
    progress.heads_checked += 1;
    yield lineOf({ type: 'head', head: isPlainJson(document) ? toHead(document) : null });
  }
  yield* recordsUpTo(size);
  yield lineOf({ type: 'end', records: written, heads });
}

function recordLine(document: RecordDocument): string {
  const { leaf_hash, seal } = document;
  const record = toRecord(document);
  // BSON has types that JSON shows as others: a date would pass for its text.
  if (!isPlainJson(document))
    return JSON.stringify({ type: 'record', record: { id: String(record.id), seq: record.seq } });
  return lineOf({ type: 'record', leaf_hash, seal, record });
}

/**
 * Stored data may have any form. A document without an RFC 8785 form is written as plain JSON, which matches no
 * signature.
 */
function lineOf(line: object): string {
  try {
    return writeExportLine(line as never).slice(0, -1);
  } catch {
    return JSON.stringify(line) ?? canonicalJson(null);
  }
}
