import type { InclusionProof } from '@tollgate/contracts/audit-log';

/** That a record is in the log, as its page shows it; `pending` while no head has it yet. */
export type ProofView =
  | { kind: 'proof'; proof: Omit<InclusionProof, 'record'>; text: string }
  | { kind: 'pending' }
  | { kind: 'failed'; message: string };
