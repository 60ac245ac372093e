import type { AuditHead, ExportHeader } from '@tollgate/contracts/audit/audit-log';
import { headHash, headSignatureHolds } from '../head.ts';
import type { VerifyingKey } from '../keys.ts';
import { CLOCK_TOLERANCE_MS } from './check-record-times.ts';
import type { Findings } from './findings.ts';

export interface HeadChain {
  /** The last reliable head; initially the one before the export. */
  readonly last: AuditHead | null;
  readonly lastNumber: number;
  /** Number of unreliable heads since then. */
  readonly unreliable: number;
  /**
   * Adds the next head; null is a malformed line. Reports problems and returns whether records can be compared with it.
   */
  follow(head: AuditHead | null): boolean;
}

/** Verifies the heads of a log, each of which refers to the previous one. */
export function createHeadChain(
  header: ExportHeader,
  isHeaderSigned: boolean,
  keys: readonly VerifyingKey[],
  findings: Findings,
): HeadChain {
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
        { headNumber: lastNumber() + unreliable },
      );
      return false;
    }
    const place = { headNumber: head.number };
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
    const place = { headNumber: head.number };
    const skipped = head.number - lastNumber() - 1 - unreliable;
    if (skipped > 0) {
      const first = lastNumber() + 1;
      const which =
        first === head.number - 1
          ? `Tree head ${first} is`
          : `Of tree heads ${first} to ${head.number - 1}, ${skipped} are`;
      findings.add('head-missing', `${which} missing.`, { headNumber: head.number - skipped });
    }
    const isNext = head.number === lastNumber() + 1;
    if (isNext && head.previous_hash !== (last === null ? null : headHash(last))) {
      findings.add(
        'head-changed',
        'The tree head was signed for a log with a different previous tree head.',
        place,
      );
    }
    const atMs = Date.parse(head.at);
    if (last !== null && atMs < Date.parse(last.at)) {
      findings.add(
        'head-time-invalid',
        'The time of the tree head is before that of the previous one.',
        place,
      );
    } else if (atMs > exportedAtMs + CLOCK_TOLERANCE_MS) {
      findings.add('head-time-invalid', 'The time of the tree head is after the export was created.', place);
    }
  }

  return {
    get last() {
      return last;
    },
    get lastNumber() {
      return lastNumber();
    },
    get unreliable() {
      return unreliable;
    },
    follow(head) {
      if (!isReliable(head)) return false;
      checkLink(head);
      last = head;
      unreliable = 0;
      return true;
    },
  };
}
