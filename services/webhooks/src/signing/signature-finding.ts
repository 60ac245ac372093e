import type { SignatureFindingCode } from '@tollgate/contracts/webhook';

/** One thing that is wrong with a received webhook, or worth knowing of it. */
export interface SignatureFinding {
  code: SignatureFindingCode;
  /** What it is and what to do about it; never a secret, never a signature. */
  detail: string;
}
