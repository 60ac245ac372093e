import type { AuditHead, ExportHeader } from '@tollgate/contracts/audit/audit-log';
import { headHash } from '../head.ts';
import type { Findings } from './findings.ts';
import type { Restore } from './restore-record.ts';
import type { Witness, WitnessedHead } from './witness.ts';

export interface ExplainedRestore extends Restore {
  /** Tree heads of the witness that were signed before the restore and that the restored log does not have. */
  abandonedHeads: number;
}

const BEGIN_EARLIER =
  'If the log was restored from a backup, an export from the beginning of the log has the record of it.';

/** Compares the heads of an export with those that a witness saw. Heads before and after the export are ignored. */
export function checkWitness(witness: Witness, header: ExportHeader, findings: Findings) {
  const firstNumber = header.head_before?.number ?? 1;
  const coversUntilMs = Math.min(Date.parse(header.to), Date.parse(header.exported_at));
  /** Hashes of the heads in the export that the witness also saw, by number. */
  const compared = new Map<number, string>();

  /** Whether the head should be in the export. */
  function isCovered({ number, at }: WitnessedHead, lastNumber: number): boolean {
    if (number < firstNumber) return false;
    return number <= lastNumber || Date.parse(at) <= coversUntilMs;
  }

  function report({ number, size, at }: WitnessedHead): void {
    const detail = compared.has(number)
      ? 'The witness saw a different tree head with this number.'
      : `The witness saw this tree head of ${size} records, signed at ${at}, but the export does not have it.`;
    findings.add('witness-differs', header.size_before > 0 ? `${detail} ${BEGIN_EARLIER}` : detail, {
      head_number: number,
    });
  }

  return {
    /** Number of heads in the export that the witness also saw. */
    get compared(): number {
      return compared.size;
    },
    compare(head: AuditHead): void {
      if (witness.has(head.number)) compared.set(head.number, headHash(head));
    },
    /**
     * Reports the heads that the witness saw and that are missing in the export or differ, except those that a restore explains. Returns
     * the restores with the number of heads that each explains.
     */
    finish(lastNumber: number, restores: Restore[]): ExplainedRestore[] {
      const explained = restores.map((restore) => ({ ...restore, abandonedHeads: 0 }));
      for (const [number, seen] of witness) {
        const others = seen.filter(({ hash }) => hash !== compared.get(number));
        const unexplained = others.filter((head) => {
          if (!isCovered(head, lastNumber)) return false;
          const restore = explained.find((each) => explains(each, head));
          if (restore) restore.abandonedHeads += 1;
          return restore === undefined;
        });
        // One finding for each number.
        for (const head of unexplained.slice(0, 1)) report(head);
      }
      return explained;
    },
  };
}

/** A restore removes the heads after the one from which the log continues, if they were signed before the restore. */
function explains({ headNumber, at }: Restore, head: WitnessedHead): boolean {
  return head.number > headNumber && Date.parse(head.at) <= Date.parse(at);
}
