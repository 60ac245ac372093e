import type { Actor } from '@tollgate/contracts/actor';
import { Problem } from '@tollgate/contracts/problem';
import { MANUAL_PROCESSOR } from '@tollgate/contracts/processors';
import { ROLE_BY_ENVIRONMENT } from '@tollgate/contracts/roles';
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
