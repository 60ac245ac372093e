import Type, { type Static } from 'typebox';
import { Id } from './ids.ts';
import { ROLES } from './roles.ts';

/** The member an RPC acts for: the claims of the `tollgate-actor` token. */
export const Actor = Type.Object({
  member_id: Id('member'),
  team_id: Id('team'),
  role: Type.Enum(ROLES),
  /** IP address of the member's browser, for the audit record; null if there is none. */
  address: Type.Union([Type.String(), Type.Null()]),
  /** Session that the token was issued for. */
  session_id: Id('session'),
  /** Name, browser, and request, for the audit record. */
  name: Type.String(),
  user_agent: Type.Union([Type.String(), Type.Null()]),
  request_id: Type.Union([Type.String(), Type.Null()]),
});
export type Actor = Static<typeof Actor>;

/** A token is issued per call and rejected when it is older than this. */
export const MAX_ACTOR_TOKEN_AGE_S = 60;
