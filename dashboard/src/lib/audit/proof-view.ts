import type { InclusionProof } from '@tollgate/contracts/audit/audit-log';

/** The inclusion proof of a record, as its page shows it; `pending` until a signed tree head covers the record. */
export type ProofView =
  | { kind: 'proof'; proof: Omit<InclusionProof, 'record'>; text: string }
  | { kind: 'pending' }
  | { kind: 'failed'; message: string };
