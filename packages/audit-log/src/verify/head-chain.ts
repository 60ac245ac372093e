import type { AuditHead, ExportHeader } from '@tollgate/contracts/audit/audit-log';
import { headHash, headSignatureHolds } from '../head.ts';
import type { VerifyingKey } from '../keys.ts';
import { CLOCK_TOLERANCE_MS } from './check-record-times.ts';
import type { FindingCode, Findings } from './findings.ts';

/** Verifies the heads of a log, each of which refers to the previous one. */
export function createHeadChain(
  header: ExportHeader,
  isHeaderSigned: boolean,
  keys: readonly VerifyingKey[],
  findings: Findings,
) {
  let last = header.head_before;
  let unreliable = 0;
  const lastNumber = () => last?.number ?? 0;
  const exportedAtMs = Date.parse(header.exported_at);

  function isReliable(head: AuditHead | null): head is AuditHead {
    if (head === null || !headSignatureHolds(head, keys)) {
      unreliable += 1;
      const claim = head === null ? 'It is malformed' : `It claims to be tree head ${head.number}`;
      findings.add(
        'head-signature-invalid',
        `The tree head at this position was not signed by the service. ${claim}.`,
        { head_number: lastNumber() + unreliable },
      );
      return false;
    }
    const place = { head_number: head.number };
    if (head.team_id !== header.team_id) {
      findings.add('head-changed', `The tree head belongs to the log of ${head.team_id}.`, place);
      return false;
    }
    if (head.number <= lastNumber() || (isHeaderSigned && head.number > header.last_head_number)) {
      findings.add('head-out-of-place', `The tree head follows tree head ${lastNumber()}.`, place);
      return false;
    }
    if (head.size < (last?.size ?? 0)) {
      findings.add('head-changed', 'The tree head covers fewer records than the previous one.', place);
      return false;
    }
    return true;
  }

  function checkLink(head: AuditHead): void {
    const report = (code: FindingCode, detail: string) =>
      findings.add(code, detail, { head_number: head.number });
    const skipped = head.number - lastNumber() - 1 - unreliable;
    if (skipped > 0) {
      const first = lastNumber() + 1;
      const which =
        first === head.number - 1
          ? `Tree head ${first} is`
          : `Of tree heads ${first} to ${head.number - 1}, ${skipped} are`;
      findings.add('head-missing', `${which} missing.`, { head_number: head.number - skipped });
    }
    const isNext = head.number === lastNumber() + 1;
    if (isNext && head.previous_hash !== (last === null ? null : headHash(last))) {
      report('head-changed', 'The tree head was signed for a log with a different previous tree head.');
    }
    const atMs = Date.parse(head.at);
    if (last !== null && atMs < Date.parse(last.at)) {
      report('head-time-invalid', 'The time of the tree head is before that of the previous one.');
    } else if (atMs > exportedAtMs + CLOCK_TOLERANCE_MS) {
      report('head-time-invalid', 'The time of the tree head is after the export was created.');
    }
  }

  return {
    /** The last reliable head; initially the one before the export. */
    get last() {
      return last;
    },
    get lastNumber() {
      return lastNumber();
    },
    /** Number of unreliable heads since then. */
    get unreliable() {
      return unreliable;
    },
    /** Adds the next head; null is a malformed line. Reports problems and returns whether records can be compared with it. */
    follow(head: AuditHead | null): head is AuditHead {
      if (!isReliable(head)) return false;
      checkLink(head);
      last = head;
      unreliable = 0;
      return true;
    },
  };
}
