import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bus, connectBus } from '@tollgate/bus/connection';
import { callRpc } from '@tollgate/bus/rpc';
import type { Actor } from '@tollgate/contracts/actor';
import { ENVIRONMENTS, type Environment } from '@tollgate/contracts/environment';
import { HEADERS } from '@tollgate/contracts/headers';
import { newId } from '@tollgate/contracts/ids';
import { createApplication, createKey } from '@tollgate/contracts/rpc/applications';
import type { RpcCaller, RpcContract } from '@tollgate/contracts/rpc/contract';
import { SCOPE_NAMES } from '@tollgate/contracts/scopes';
import { dataPaths } from '@tollgate/launcher/data-dir';
import { findFreePorts } from '@tollgate/launcher/free-ports';
import { listProcesses } from '@tollgate/launcher/processes';
import { generateSecrets, type Secrets } from '@tollgate/launcher/secrets';
import { createActorSigner } from '@tollgate/service-kit/actor-token';
import { systemClock } from '@tollgate/service-kit/clock';
import { parseKeyring } from '@tollgate/service-kit/keyring';
import { signPrincipal } from '@tollgate/service-kit/principal-signature';
import type { Static, TSchema } from 'typebox';
import { collectEvents, type EventCollector } from './event-collector.ts';
import { eventually } from './eventually.ts';
import { type Infra, startInfra } from './infra.ts';
import { type PlatformProcess, platformProcess } from './platform-process.ts';

/** Sandbox payments of tests settle this soon. */
const SETTLEMENT_DELAY = '200ms';

export interface TestApplication {
  id: string;
  teamId: string;
  keys: Record<Environment, string>;
  keyIds: Record<Environment, string>;
}

export type Call = <Caller extends RpcCaller, Request extends TSchema, Reply extends TSchema>(
  contract: RpcContract<Caller, Request, Reply>,
  request: Static<Request>,
) => Promise<Static<Reply>>;

/** The whole platform as real processes, used from outside. */
export interface Platform {
  baseUrl: Record<Environment, string>;
  docsBaseUrl: string;
  infra: Infra;
  processes: { applications: PlatformProcess; payments: PlatformProcess; gateway: PlatformProcess };
  /** Of all processes, to tell whether one was restarted. */
  pids(): (number | null)[];
  /** Calls an RPC as the owner of the test team. */
  call: Call;
  /** An application with all scopes and a key for each environment, both known to the gateway. */
  createApplication(): Promise<TestApplication>;
  /** Another applications instance on the same MongoDB, with a NATS of its own. */
  startApplicationsBeside(natsUrl: string): Promise<{ call: Call; stop(): Promise<void> }>;
  collectEvents(): EventCollector;
  paymentsUrl(): string;
  /** Headers with which payments takes a request that comes around the gateway, valid for 30 s. */
  signedHeaders(
    application: TestApplication,
    environment: Environment,
    request: { method: string; path: string; body: string },
  ): Record<string, string>;
  stop(): Promise<void>;
}

export async function startPlatform({ paymentsInstances = 1 } = {}): Promise<Platform> {
  const infra = await startInfra();
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-test-platform-'));
  const [livePort, sandboxPort, ...paymentsPorts] = (await findFreePorts(2 + paymentsInstances)) as [
    number,
    number,
    ...number[],
  ];
  const secrets = generateSecrets();
  const docsBaseUrl = `http://localhost:${livePort}/docs`;
  const owner: Actor = { team_id: newId('team'), member_id: newId('member'), role: 'owner', address: null };

  /** The launcher's own description of a process, with ports of its own at every call. */
  async function describe(name: string, env: Record<string, string> = {}, natsUrl = infra.natsUrl) {
    const { stages } = await listProcesses({
      settings: {
        dataDir: folder,
        livePort,
        sandboxPort,
        mongodbUrl: infra.mongodbUrl,
        natsUrl,
        logLevel: 'warn',
      },
      secrets,
      paths: dataPaths(folder),
      server: null,
      env: { ...process.env, SANDBOX_SETTLEMENT_DELAY: SETTLEMENT_DELAY, DOCS_BASE_URL: docsBaseUrl },
    });
    const spec = stages.flat().find((candidate) => candidate.name === name);
    if (!spec) throw new Error(`The launcher has no process named ${name}.`);
    return platformProcess({ ...spec, env: { ...spec.env, ...env } });
  }

  const applications = await describe('applications');
  const gateway = await describe('gateway');
  const payments = await Promise.all(
    paymentsPorts.map((port) => describe('payments', { PORT: String(port) })),
  );
  const all = [applications, ...payments, gateway];
  const bus = await connectBus({ url: infra.natsUrl, name: 'tests' });
  const call = caller(bus, secrets, owner);
  const baseUrl = { live: `http://127.0.0.1:${livePort}`, sandbox: `http://127.0.0.1:${sandboxPort}` };

  async function stop() {
    await bus.close();
    await Promise.all(all.map((process) => process.stop()));
    await infra.stop();
    await rm(folder, { recursive: true, force: true });
  }

  try {
    await Promise.all([applications, ...payments].map((process) => process.start()));
    await gateway.start();
  } catch (error) {
    await stop();
    throw error;
  }

  return {
    baseUrl,
    docsBaseUrl,
    infra,
    processes: { applications, payments: payments[0] as PlatformProcess, gateway },
    pids: () => all.map(({ pid }) => pid),
    call,
    async createApplication() {
      const application = await call(createApplication, { name: 'Test', scopes: SCOPE_NAMES });
      const made = { id: application.id, teamId: owner.team_id, keys: {}, keyIds: {} } as TestApplication;
      for (const environment of ENVIRONMENTS) {
        const request = { application_id: application.id, name: environment, environment };
        const key = await call(createKey, request);
        made.keys[environment] = key.secret;
        made.keyIds[environment] = key.id;
        await eventually('the gateway knows the key', () => isAccepted(baseUrl[environment], key.secret));
      }
      return made;
    },
    async startApplicationsBeside(natsUrl) {
      const beside = await describe('applications', {}, natsUrl);
      await beside.start();
      const itsBus = await connectBus({ url: natsUrl, name: 'tests' });
      return {
        call: caller(itsBus, secrets, owner),
        async stop() {
          await itsBus.close();
          await beside.stop();
        },
      };
    },
    collectEvents: () => collectEvents(bus),
    paymentsUrl: () => `http://127.0.0.1:${paymentsPorts[0]}`,
    signedHeaders(application, environment, { method, path, body }) {
      const requestId = newId('request');
      const principal = {
        team_id: application.teamId,
        application_id: application.id,
        key_id: application.keyIds[environment],
        environment,
        scopes: SCOPE_NAMES,
      };
      const request = { method, path, requestId, idempotencyKey: '', body: Buffer.from(body) };
      const keyring = parseKeyring(secrets.INTERNAL_SIGNING_KEYS);
      return { ...signPrincipal(keyring, principal, request, Date.now()), [HEADERS.requestId]: requestId };
    },
    stop,
  };
}

function caller(bus: Bus, secrets: Secrets, actor: Actor): Call {
  const sign = createActorSigner(secrets.ACTOR_SIGNING_KEY, systemClock);
  return async (contract, request) =>
    callRpc(bus, contract, request, contract.caller === 'member' ? { actorToken: await sign(actor) } : {});
}

/** There is no payment "x": 404 says that the key passed. */
async function isAccepted(baseUrl: string, credential: string): Promise<boolean> {
  const response = await fetch(`${baseUrl}/v1/payments/x`, {
    headers: { authorization: `Bearer ${credential}` },
  });
  await response.body?.cancel();
  return response.status === 404;
}
