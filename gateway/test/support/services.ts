import { generateKeyPairSync } from 'node:crypto';
import type { Bus } from '@tollgate/bus/connection';
import { type RpcContext, serveRpc } from '@tollgate/bus/rpc';
import type { MemberActor, TokenActor } from '@tollgate/contracts/accounts/actor';
import { getMe, issueActorToken, issueTokenActor } from '@tollgate/contracts/accounts/rpc';
import { newId } from '@tollgate/contracts/platform/ids';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { RpcCaller, RpcContract } from '@tollgate/contracts/platform/rpc-contract';
import { systemClock } from '@tollgate/runtime/clock';
import { createLogger } from '@tollgate/runtime/logger';
import { createActorSigner, createActorVerifier } from '@tollgate/security/actor-token';
import { generateApiToken } from '@tollgate/security/api-token';
import { currentTrace } from '@tollgate/tracing/current-trace';
import type { TraceContext } from '@tollgate/tracing/trace-context';
import type { Static, TSchema } from 'typebox';
import { exampleApiToken, exampleMe, exampleMember } from './examples.ts';

export interface Received<Caller extends RpcCaller = RpcCaller> {
  request: unknown;
  context: RpcContext<Caller>;
  trace: TraceContext | null;
}

export interface Services {
  /** Serves a method like its service until `stop`. Replaces the current handler. */
  serve<Caller extends RpcCaller, Request extends TSchema, Reply extends TSchema>(
    contract: RpcContract<Caller, Request, Reply>,
    handler: (
      request: Static<Request>,
      context: RpcContext<Caller>,
    ) => Static<Reply> | Promise<Static<Reply>>,
  ): Promise<void>;
  /** Requests to a method since it was served, oldest first. */
  received(contract: RpcContract): Received[];
  /** Stops serving the method. */
  silence(contract: RpcContract): Promise<void>;
  /** Creates a session and returns its token. */
  signIn(actor?: Partial<MemberActor>): string;
  /** Creates an API token and returns its credential. With `actsFor`, that of a login of this member. */
  issueToken(actor?: Partial<TokenActor>, actsFor?: string): string;
  /** Serves session exchanges again after `silence(issueActorToken)`. */
  serveSessions(): Promise<void>;
  /** Ends the session, or revokes the API token. */
  end(token: string): void;
  /** Exchanges of a session for an actor token, with the address that the gateway sent. */
  exchanges: { token: string; address: string | null }[];
  stop(): Promise<void>;
}

/** Starts minimal services on the real bus, with the real contracts and actor tokens, that do what a test specifies. */
export async function startServices(bus: Bus): Promise<Services> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const sign = createActorSigner(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), systemClock);
  const verifyActor = createActorVerifier(
    [publicKey.export({ type: 'spki', format: 'pem' }).toString()],
    systemClock,
  );
  const logger = createLogger({ service: 'test', level: 'silent' });
  const serving = new Map<RpcContract, { stop(): Promise<void>; received: Received[] }>();
  const sessions = new Map<string, MemberActor>();
  const tokens = new Map<string, TokenActor>();
  const members = new Map<string, string>();
  const exchanges: Services['exchanges'] = [];

  async function silence(contract: RpcContract): Promise<void> {
    await serving.get(contract)?.stop();
    serving.delete(contract);
  }

  const serve: Services['serve'] = async (contract, handler) => {
    await silence(contract);
    const received: Received[] = [];
    const { stop } = serveRpc(
      bus,
      contract,
      async (request, context) => {
        received.push({ request, context, trace: currentTrace() } as Received);
        return handler(request, context);
      },
      { verifyActor, logger },
    );
    serving.set(contract, { stop, received });
    // The server must know the subscription before a request can arrive on another connection.
    await bus.nats.flush();
  };

  const serveTokens = () =>
    serve(issueTokenActor, async ({ credential, address, user_agent }, { requestId, actorFor }) => {
      exchanges.push({ token: credential, address });
      const actor = tokens.get(credential);
      if (!actor) throw new Problem('invalid-api-token', 'Unknown API token.');
      return {
        actor_token: await sign({ ...actor, address, user_agent, request_id: requestId }, actorFor),
        team_id: actor.team_id,
        token: exampleApiToken(actor, members.get(credential)),
      };
    });

  const serveSessions = () =>
    serve(issueActorToken, async ({ session_token, proof_key, ...origin }, { requestId, actorFor }) => {
      const { address, user_agent } = origin;
      exchanges.push({ token: session_token, address });
      const actor = sessions.get(session_token);
      if (!actor) throw new Problem('invalid-session', 'The session has ended. Sign in again.');
      const validFor = proof_key === undefined ? actorFor : { proofKey: proof_key };
      return {
        actor_token: await sign({ ...actor, address, user_agent, request_id: requestId }, validFor),
        requires_proof: proof_key !== undefined,
        session_id: actor.session_id,
        team_id: actor.team_id,
        member: exampleMember(actor),
      };
    });
  await serveSessions();
  await serveTokens();
  await serve(getMe, (_request, { actor }) => exampleMe(actor));

  return {
    serve,
    serveSessions,
    received: (contract) => serving.get(contract)?.received ?? [],
    silence,
    signIn(actor = {}) {
      const token = `token-${newId('session')}`;
      sessions.set(token, {
        team_id: newId('team'),
        type: 'member',
        member_id: newId('member'),
        role: 'owner',
        address: null,
        session_id: newId('session'),
        authenticated_at: '2999-01-01T00:00:00.000Z',
        name: 'Ada',
        user_agent: null,
        request_id: null,
        ...actor,
      });
      return token;
    },
    issueToken(actor = {}, actsFor) {
      const { credential } = generateApiToken();
      if (actsFor !== undefined) members.set(credential, actsFor);
      tokens.set(credential, {
        type: 'token',
        token_id: newId('apiToken'),
        team_id: newId('team'),
        role: 'admin',
        environments: null,
        address: null,
        name: 'Deployment',
        user_agent: null,
        request_id: null,
        ...actor,
      });
      return credential;
    },
    end(token) {
      sessions.delete(token);
      tokens.delete(token);
    },
    exchanges,
    async stop() {
      await Promise.all([...serving.keys()].map(silence));
    },
  };
}
