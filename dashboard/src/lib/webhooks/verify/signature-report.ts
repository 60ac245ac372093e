import type { SignatureCheck } from '@tollgate/contracts/webhook';

/** What the checker found, beside what it was asked about. */
export interface SignatureReport {
  verdict: SignatureCheck;
  endpointUrl: string;
  /** As they were read from what was pasted. */
  id: string;
  timestamp: string;
  signature: string;
  bodyBytes: number;
  isLineBreakDropped: boolean;
}
