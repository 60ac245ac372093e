import type { MemberActor, TokenActor } from '@tollgate/contracts/accounts/actor';
import { ENVIRONMENTS, type Environment } from '@tollgate/contracts/platform/environment';
import { Problem } from '@tollgate/contracts/platform/problem';

/** The part of an actor that decides about environments. */
type Access = Pick<MemberActor, 'type'> | Pick<TokenActor, 'type' | 'environments'>;

/** Returns true if the actor may use resources of this environment. Members may use both. */
function mayUseEnvironment(actor: Access, environment: Environment): boolean {
  return actor.type === 'member' || actor.environments === null || actor.environments.includes(environment);
}

/** Throws Problem `forbidden` unless the actor may use resources of this environment. */
export function requireEnvironment(actor: Access, environment: Environment): void {
  if (mayUseEnvironment(actor, environment)) return;
  throw new Problem('forbidden', `This API token does not have access to the ${environment} environment.`);
}

/** Throws Problem `forbidden` unless the actor may use both environments. `action` completes "You cannot …". */
export function requireAllEnvironments(actor: Access, action: string): void {
  if (ENVIRONMENTS.every((environment) => mayUseEnvironment(actor, environment))) return;
  throw new Problem(
    'forbidden',
    `You cannot ${action}: this concerns both environments, and this API token has access to one.`,
  );
}

/**
 * Returns the environment to which a list or sum must be limited; undefined: to none. Throws Problem `forbidden` when
 * the actor may not use the requested environment.
 */
export function narrowEnvironment(actor: Access, wanted: Environment | undefined): Environment | undefined {
  if (wanted !== undefined) {
    requireEnvironment(actor, wanted);
    return wanted;
  }
  const [only, ...others] = ENVIRONMENTS.filter((environment) => mayUseEnvironment(actor, environment));
  if (only === undefined) throw new Problem('forbidden', 'This API token has access to no environment.');
  return others.length === 0 ? only : undefined;
}
