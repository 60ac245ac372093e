import Type from 'typebox';
import { Id } from '../../platform/ids.ts';
import { rpc } from '../../platform/rpc-contract.ts';
import { Member } from '../account.ts';
import { ApiToken } from '../api-token.ts';
import { closed, Origin, Token } from './fields.ts';

/** Exchanges a session for the actor token that other calls carry. */
export const issueActorToken = rpc('accounts', 'actor_token', {
  caller: 'service',
  request: Type.Object(
    {
      session_token: Token,
      ...Origin,
      /** False for a check that is not a use, such as that of an open stream: the session still expires when idle. */
      is_use: Type.Optional(Type.Boolean()),
      /** The caller's public key (Ed25519, base64url), with which it proves each use of a token for all RPCs. */
      proof_key: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' })),
    },
    closed,
  ),
  reply: Type.Object({
    actor_token: Type.String(),
    /** Whether the token is for all RPCs, each with a proof. Never for a member who must set up a second factor. */
    requires_proof: Type.Boolean({ default: false }),
    session_id: Id('session'),
    team_id: Id('team'),
    member: Member,
  }),
});

/** Exchanges the credential of an API token, like a session, for the actor token of the request's other calls. */
export const issueTokenActor = rpc('accounts', 'issue_token_actor', {
  caller: 'service',
  request: Type.Object(
    {
      credential: Type.String({ minLength: 1, maxLength: 128 }),
      ...Origin,
      /** False for a check that is not a use, such as that of an open stream. */
      is_use: Type.Optional(Type.Boolean()),
    },
    closed,
  ),
  reply: Type.Object({ actor_token: Type.String(), team_id: Id('team'), token: ApiToken }),
});
