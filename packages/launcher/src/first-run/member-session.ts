import type { Bus } from '@tollgate/bus/connection';
import { callRpc } from '@tollgate/bus/rpc';
import { issueActorToken, revokeSession, signIn } from '@tollgate/contracts/rpc/accounts';
import type { RpcCaller, RpcContract } from '@tollgate/contracts/rpc/contract';
import type { Static, TSchema } from 'typebox';

/**
 * Six times what a person at a browser would wait: at a start everything else wants the processor, too, and hashing a password
 * is work.
 */
export const PATIENCE = { deadlineMs: 30_000 };

/** There is no browser, which requests before a session would name. */
export const FROM_TERMINAL = { address: null, user_agent: null };

/** Calls a method; one for members as the member of the session. Throws the Problem that the service returns. */
export type Call = <Caller extends RpcCaller, Request extends TSchema, Reply extends TSchema>(
  contract: RpcContract<Caller, Request, Reply>,
  request: Static<Request>,
) => Promise<Static<Reply>>;

export interface Credentials {
  email: string;
  password: string;
}

/** A session of someone who is at this machine's terminal, not at a browser. */
export interface MemberSession {
  /** As the admin API takes it. */
  token: string;
  call: Call;
  signOut(): Promise<void>;
}

/** Throws Problem: `sign-in-failed`, `second-factor-required`, `too-many-attempts`. */
export async function startMemberSession(bus: Bus, { email, password }: Credentials): Promise<MemberSession> {
  const request = { email, password, ...FROM_TERMINAL };
  const { token } = await callRpc(bus, signIn, request, PATIENCE);
  const call = callWithSession(bus, token);
  return {
    token,
    call,
    async signOut() {
      const session = { session_token: token, ...FROM_TERMINAL };
      const { session_id } = await callRpc(bus, issueActorToken, session, PATIENCE);
      await call(revokeSession, { session_id });
    },
  };
}

/** Exchanges the session for an actor token at every call, as the admin API does. */
export function callWithSession(bus: Bus, sessionToken: string): Call {
  return async (contract, request) => {
    if (contract.caller === 'service') return callRpc(bus, contract, request, PATIENCE);
    const session = { session_token: sessionToken, ...FROM_TERMINAL };
    const { actor_token: actorToken } = await callRpc(bus, issueActorToken, session, PATIENCE);
    return callRpc(bus, contract, request, { actorToken, ...PATIENCE });
  };
}
