import Type, { type Static } from 'typebox';
import { Problem } from '../platform/problem.ts';
import { ROLES } from '../platform/roles.ts';
import { EnvironmentSchema, Id, Nullable, TimeOf } from '../platform/schema.ts';
import { API_TOKEN_ROLES } from './api-token.ts';

const sharedFields = {
  team_id: Id('team'),
  /** IP address of the request, for the audit record; null if there is none. */
  address: Nullable(Type.String()),
  /** Name, user agent, and request, for the audit record. */
  name: Type.String(),
  user_agent: Nullable(Type.String()),
  request_id: Nullable(Type.String()),
};

export const MemberActor = Type.Object({
  type: Type.Literal('member'),
  member_id: Id('member'),
  role: Type.Enum(ROLES),
  session_id: Id('session'),
  authenticated_at: TimeOf('When the member last signed in or confirmed their identity in the session'),
  ...sharedFields,
});
export type MemberActor = Static<typeof MemberActor>;

export const TokenActor = Type.Object({
  type: Type.Literal('token'),
  token_id: Id('apiToken'),
  role: Type.Enum(API_TOKEN_ROLES),
  /** The environments that the token is limited to; null: both. */
  environments: Nullable(Type.Array(EnvironmentSchema)),
  ...sharedFields,
});
export type TokenActor = Static<typeof TokenActor>;

/** The member or API token that an RPC acts for: the claims of the `tollgate-actor` token. */
export const Actor = Type.Union([MemberActor, TokenActor]);
export type Actor = Static<typeof Actor>;

/** A token is rejected when it is older than this. */
export const MAX_ACTOR_TOKEN_AGE_S = 60;

/** The rejection of an API token where only members are allowed. */
export function tokenNotAccepted(): Problem {
  return new Problem('forbidden', 'API tokens cannot do this. Sign in as a member.');
}
