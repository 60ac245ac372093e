import type { Principal } from '@tollgate/contracts/applications/principal';
import type { Environment } from '@tollgate/contracts/platform/environment';

/**
 * The payments that a caller may see. Payments are sharded by application, so every filter of an application's request,
 * every write, and every unique index starts with it. Members query their team across applications: their reads,
 * `findOfTeam` and those in history/, start with `team_id` and go to every shard.
 */
export interface PaymentOwner {
  application_id: string;
  team_id: string;
  environment: Environment;
}

/** The filter that names a payment's owner, taken from the payment itself, for work without a caller. */
export function ownerOf(payment: PaymentOwner): PaymentOwner {
  return {
    application_id: payment.application_id,
    team_id: payment.team_id,
    environment: payment.environment,
  };
}

export function ownerOfPrincipal(principal: Principal): PaymentOwner {
  return {
    application_id: principal.application_id,
    team_id: principal.team_id,
    environment: principal.environment,
  };
}
