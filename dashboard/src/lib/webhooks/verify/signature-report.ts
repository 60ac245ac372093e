import type { SignatureCheck } from '@tollgate/contracts/webhooks/webhook';
import type { PastedRequest } from '../parse-pasted-request.ts';

/** The findings of the checker, with what it was given. */
export interface SignatureReport extends Omit<PastedRequest, 'body'> {
  verdict: SignatureCheck;
  endpointUrl: string;
  bodyBytes: number;
}
