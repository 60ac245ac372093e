import type { Context } from '../context.ts';
import { requireSealed } from '../heads/create-head.ts';
import { sealRecord, toRecord } from '../records/record-document.ts';

const PAGE = 200;

/**
 * Renumbers the records after the last tree head, which no signature covers together yet, so that they follow it without
 * a gap. Resolves to the number of the last record, and to how many records got another number. A record that this service
 * did not write is never sealed again: throws LogCorrupted.
 */
export async function closeGaps(
  { records, signingKeys, publicKeys }: Context,
  teamId: string,
  size: number,
): Promise<{ size: number; renumbered: number }> {
  let renumbered = 0;
  let expected = size + 1;
  for (;;) {
    const page = await records.listBySeq(teamId, {
      from: expected,
      upTo: Number.MAX_SAFE_INTEGER,
      limit: PAGE,
    });
    for (const document of page) {
      if (document.seq > expected) {
        requireSealed(document, publicKeys);
        const replacement = sealRecord({ ...toRecord(document), seq: expected }, signingKeys[0]);
        // If not replaced, another instance appended meanwhile, and the next page has this number again.
        if (!(await records.renumber(document, replacement))) break;
        renumbered += 1;
      }
      expected += 1;
    }
    if (page.length === 0) return { size: expected - 1, renumbered };
  }
}
