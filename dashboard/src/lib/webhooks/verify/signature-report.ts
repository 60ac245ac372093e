import type { SignatureCheck } from '@tollgate/contracts/webhooks/webhook';

/** The findings of the checker, with what it was given. */
export interface SignatureReport {
  verdict: SignatureCheck;
  endpointUrl: string;
  /** As read from the pasted request. */
  id: string;
  timestamp: string;
  signature: string;
  bodyBytes: number;
  isLineBreakDropped: boolean;
}
