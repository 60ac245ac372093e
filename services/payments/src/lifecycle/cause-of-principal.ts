import type { RequestPrincipal } from '@tollgate/contracts/applications/principal';
import type { Cause } from './payment.ts';

export function causeOfPrincipal({ key_id, client_address }: RequestPrincipal): Cause {
  return { type: 'key', id: key_id, address: client_address };
}
