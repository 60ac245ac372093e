import type { Actor } from '@tollgate/contracts/accounts/actor';
import { MANUAL_PROCESSOR } from '@tollgate/contracts/payments/processors';
import { Problem } from '@tollgate/contracts/platform/problem';
import { ROLE_BY_ENVIRONMENT } from '@tollgate/contracts/platform/roles';
import { requireRole } from '@tollgate/security/require-role';
import type { PaymentDocument } from '../lifecycle/payment.ts';

/** @throws Problem `forbidden`, or `conflict` when a processor settles the payment */
export function assertMaySettle(actor: Actor, { environment, settlement }: PaymentDocument): void {
  requireRole(actor, ROLE_BY_ENVIRONMENT[environment], `settle ${environment} payments`);
  if (settlement.processor === MANUAL_PROCESSOR) return;
  throw new Problem(
    'conflict',
    `The processor "${settlement.processor}" settles this payment. Only payments of the processor "${MANUAL_PROCESSOR}" can be settled manually.`,
  );
}
