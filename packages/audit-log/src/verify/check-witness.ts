import type { AuditHead, ExportHeader } from '@tollgate/contracts/audit-log';
import { headHash } from '../head.ts';
import type { Findings } from './findings.ts';
import type { Witness } from './witness.ts';

export interface WitnessCheck {
  /** Number of heads in the export that the witness also saw. */
  readonly compared: number;
  compare(head: AuditHead): void;
  /** Reports the heads that the witness saw and that are missing in the export. */
  finish(lastNumber: number): void;
}

/** Compares the heads of an export with those that a witness saw. Heads before and after the export are ignored. */
export function checkWitness(witness: Witness, header: ExportHeader, findings: Findings): WitnessCheck {
  const firstNumber = header.head_before?.number ?? 1;
  const coversUntilMs = Math.min(Date.parse(header.to), Date.parse(header.exported_at));
  const comparedNumbers = new Set<number>();
  return {
    get compared() {
      return comparedNumbers.size;
    },
    compare(head) {
      const seen = witness.get(head.number);
      if (seen === undefined) return;
      comparedNumbers.add(head.number);
      const hash = headHash(head);
      if (seen.every((other) => other.hash === hash)) return;
      findings.add('witness-differs', 'The witness saw a different tree head with this number.', {
        headNumber: head.number,
      });
    },
    finish(lastNumber) {
      for (const [number, [head]] of witness) {
        if (head === undefined || number < firstNumber || comparedNumbers.has(number)) continue;
        if (number > lastNumber && Date.parse(head.at) > coversUntilMs) continue;
        findings.add(
          'witness-differs',
          `The witness saw this tree head of ${head.size} records, signed at ${head.at}, but the export does not have it.`,
          { headNumber: number },
        );
      }
    },
  };
}
