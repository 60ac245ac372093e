import type { SignatureFindingCode } from '@tollgate/contracts/webhooks/webhook';

/** A problem with a received webhook, or a hint about it. */
export interface SignatureFinding {
  code: SignatureFindingCode;
  /** The problem and what to do about it. Never contains a secret or a signature. */
  detail: string;
}
