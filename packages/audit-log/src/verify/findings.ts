import type { AUDIT_FINDINGS, AuditFinding } from '@tollgate/contracts/audit/audit-log';

/** A rewritten log has a finding per record: only this many are kept, but all are counted and reported. */
export const MAX_KEPT_FINDINGS = 100;

export type FindingCode = (typeof AUDIT_FINDINGS)[number];

/** The record or tree head at which a finding shows. */
type FindingPlace = Partial<Pick<AuditFinding, 'seq' | 'record_id' | 'head_number'>>;

export interface Findings {
  readonly count: number;
  readonly kept: AuditFinding[];
  add(code: FindingCode, detail: string, place?: FindingPlace): void;
}

/** @param onFinding receives each finding as it is found */
export function collectFindings(onFinding: (finding: AuditFinding) => void = () => {}): Findings {
  const kept: AuditFinding[] = [];
  let count = 0;
  return {
    get count() {
      return count;
    },
    kept,
    add(code, detail, { seq = null, record_id = null, head_number = null } = {}) {
      const finding = { code, seq, record_id, head_number, detail };
      count += 1;
      if (kept.length < MAX_KEPT_FINDINGS) kept.push(finding);
      onFinding(finding);
    },
  };
}
