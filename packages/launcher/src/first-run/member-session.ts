import type { Bus } from '@tollgate/bus/connection';
import { callRpc } from '@tollgate/bus/rpc';
import { issueActorToken, revokeSession, signIn } from '@tollgate/contracts/accounts/rpc';
import type { RpcCaller, RpcContract } from '@tollgate/contracts/platform/rpc-contract';
import type { Static, TSchema } from 'typebox';

/**
 * Six times the usual deadline: at startup, everything competes for the processor, and hashing a password is expensive.
 */
export const CALL_OPTIONS = { deadlineMs: 30_000 };

/** A terminal has no browser to describe. */
export const FROM_TERMINAL = { address: null, user_agent: null };

/**
 * Calls a method; a method for members is called as the session's member. Throws the Problem that the service returns.
 */
export type Call = <Caller extends RpcCaller, Request extends TSchema, Reply extends TSchema>(
  contract: RpcContract<Caller, Request, Reply>,
  request: Static<Request>,
) => Promise<Static<Reply>>;

export interface Credentials {
  email: string;
  password: string;
}

/** A session of the user at this machine's terminal. */
export interface MemberSession {
  /** The session token, which requests of the admin API need. */
  token: string;
  call: Call;
  signOut(): Promise<void>;
}

/** Throws Problem: `sign-in-failed`, `second-factor-required`, `too-many-attempts`. */
export async function startMemberSession(bus: Bus, { email, password }: Credentials): Promise<MemberSession> {
  const request = { email, password, ...FROM_TERMINAL };
  const { token } = await callRpc(bus, signIn, request, CALL_OPTIONS);
  const call = callWithSession(bus, token);
  return {
    token,
    call,
    async signOut() {
      const session = { session_token: token, ...FROM_TERMINAL };
      const { session_id } = await callRpc(bus, issueActorToken, session, CALL_OPTIONS);
      await call(revokeSession, { session_id });
    },
  };
}

/** Exchanges the session for an actor token on every call, like the admin API. */
export function callWithSession(bus: Bus, sessionToken: string): Call {
  return async (contract, request) => {
    if (contract.caller === 'service') return callRpc(bus, contract, request, CALL_OPTIONS);
    const session = { session_token: sessionToken, ...FROM_TERMINAL };
    const { actor_token: actorToken } = await callRpc(bus, issueActorToken, session, {
      actorFor: [contract],
      ...CALL_OPTIONS,
    });
    return callRpc(bus, contract, request, { actorToken, ...CALL_OPTIONS });
  };
}
