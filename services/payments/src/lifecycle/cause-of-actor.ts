import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { Cause } from './payment.ts';

export function causeOfActor(actor: Actor): Cause {
  const id = actor.type === 'member' ? actor.member_id : actor.token_id;
  return { type: actor.type, id, address: actor.address };
}
