import { generateKeyPairSync } from 'node:crypto';
import { type Bus, connectBus } from '@tollgate/bus/connection';
import { callRpc, type RpcCallOptions } from '@tollgate/bus/rpc';
import { ensureStreams } from '@tollgate/bus/streams';
import type { Actor } from '@tollgate/contracts/accounts/actor';
import { type RpcContract, rpcSubject } from '@tollgate/contracts/platform/rpc-contract';
import { ISSUERS, type Issuer } from '@tollgate/contracts/platform/signature';
import { type Clock, systemClock } from '@tollgate/runtime/clock';
import { createLogger, type Logger } from '@tollgate/runtime/logger';
import {
  createActorSigner,
  createActorVerifier,
  type SignActor,
  type VerifyActor,
} from '@tollgate/security/actor-token';
import { createIssuerKeys, type IssuerKeys } from '@tollgate/security/test/issuer-keys';
import type { FakeClock } from '@tollgate/test-kit/fake-clock';
import { type Infra, startInfra } from '@tollgate/test-kit/infra';
import type { Static, TSchema } from 'typebox';
import type { Service, ServiceApp, ServiceConfig } from '../src/service.ts';
import { type RunningService, startService } from '../src/start-service.ts';

/** A reply on a busy machine may take longer than callers of the platform wait for one. */
const CALL_DEADLINE_MS = 30_000;

/** Servers for the tests of one service, and a caller that is connected to them. */
export interface ServiceHarness {
  infra: Infra;
  clock: FakeClock;
  logger: Logger;
  /** Every line that instances of the service have logged. */
  logLines: string[];
  /** The part of a service's environment that all services share. */
  env: Record<string, string>;
  actorSigningKey: string;
  issuerKeys: IssuerKeys;
  signActor: SignActor;
  verifyActor: VerifyActor;
  /** A caller's connection, apart from the service's. */
  client: Bus;
  /** A new instance with connections of its own. */
  start<Config extends ServiceConfig, App extends ServiceApp>(
    service: Service<Config, App>,
    env: Record<string, string>,
    options: { isStarted?: boolean | undefined; machineClock?: Clock },
  ): Promise<RunningService<App>>;
  /** Calls over NATS with the actor's signed token. */
  call<Request extends TSchema, Reply extends TSchema>(
    actor: Actor,
    method: RpcContract<'member' | 'member-or-token', Request, Reply>,
    request: Static<Request>,
    options?: Pick<RpcCallOptions, 'idempotencyKey' | 'onReplayed' | 'deadlineMs'>,
  ): Promise<Static<Reply>>;
  /** Stops all instances and stand-ins, then the servers. */
  stop(): Promise<void>;
}

export async function startServiceHarness(options: {
  name: string;
  clock: FakeClock;
  /** The clock of actor tokens, unless it is the system's. */
  tokenClock?: Clock;
  logLevel?: string;
  /** Serves what the service calls in other services. */
  standIns?: ((client: Bus, logger: Logger, issuerKeys: IssuerKeys) => { stop(): Promise<unknown> })[];
}): Promise<ServiceHarness> {
  const { name, clock, tokenClock = systemClock, logLevel = 'trace', standIns = [] } = options;
  const infra = await startInfra();
  const logLines: string[] = [];
  const destination = { write: (line: string) => void logLines.push(line) };
  const logger = createLogger({ service: name, level: logLevel, destination });
  const { privateKey, publicKey } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const signActor = createActorSigner(privateKey, tokenClock);
  const issuerKeys = createIssuerKeys();
  const client = await connectBus({ url: infra.natsUrl, name: 'test' });
  await ensureStreams(client);
  const standingIn = standIns.map((serve) => serve(client, logger, issuerKeys));
  const running = new Set<RunningService<ServiceApp>>();

  return {
    infra,
    clock,
    logger,
    logLines,
    env: {
      NATS_URL: infra.natsUrl,
      MONGODB_URL: infra.mongodbUrl,
      ACTOR_PUBLIC_KEYS: publicKey,
      SIGNER_PUBLIC_KEYS: issuerKeys.publicKeys,
      ...(isIssuer(name) && { SIGNING_KEYS: issuerKeys.privateKeys[name] }),
    },
    actorSigningKey: privateKey,
    issuerKeys,
    signActor,
    verifyActor: createActorVerifier([publicKey], tokenClock),
    client,

    async start(service, env, { isStarted = true, machineClock = systemClock }) {
      const config = service.configure(env);
      const started = await startService(
        service,
        { config, env },
        { clock, tokenClock, machineClock, logger, isStarted },
      );
      running.add(started);
      return {
        ...started,
        stop() {
          running.delete(started);
          return started.stop();
        },
      };
    },

    call: async (actor, method, request, options) =>
      callRpc(client, method, request, {
        actorToken: await signActor(actor, [rpcSubject(method)]),
        deadlineMs: CALL_DEADLINE_MS,
        ...options,
      }),

    async stop() {
      for (const service of running) await service.stop();
      for (const standIn of standingIn) await standIn.stop();
      await client.close();
      await infra.stop();
    },
  };
}

function isIssuer(name: string): name is Issuer {
  return (ISSUERS as readonly string[]).includes(name);
}
