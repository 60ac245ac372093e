import Type, { type Static } from 'typebox';
import type { Environment } from './environment.ts';
import { Id } from './ids.ts';

/** From least to most. Each role may do all that the ones before it may. */
export const ROLES = ['viewer', 'developer', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

export function roleAtLeast(role: Role, required: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(required);
}

/** The role that a change requires, by the environment that it affects: live requires the admin role. */
export const ROLE_BY_ENVIRONMENT = { live: 'admin', sandbox: 'developer' } as const satisfies Record<
  Environment,
  Role
>;

/** Who an RPC acts as: the claims of the `tollgate-actor` token. */
export const Actor = Type.Object({
  member_id: Id('member'),
  team_id: Id('team'),
  role: Type.Enum(ROLES),
  /** IP address of the person's browser, for the audit record; null where there is none. */
  address: Type.Union([Type.String(), Type.Null()]),
  /** The session the token was made for. */
  session_id: Id('session'),
  /** Name, browser and request, for the audit record. */
  name: Type.String(),
  user_agent: Type.Union([Type.String(), Type.Null()]),
  request_id: Type.Union([Type.String(), Type.Null()]),
});
export type Actor = Static<typeof Actor>;

/** A token is minted per call and rejected when older than this. */
export const MAX_ACTOR_TOKEN_AGE_S = 60;
