import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectBus } from '@tollgate/bus/connection';
import type { Actor } from '@tollgate/contracts/actor';
import type { Environment } from '@tollgate/contracts/environment';
import { newId } from '@tollgate/contracts/ids';
import { generateSecrets } from '@tollgate/launcher/secrets';
import { findFreePorts } from '@tollgate/local-servers/free-ports';
import { parseKeyring } from '@tollgate/service-kit/keyring';
import { type Infra, startInfra } from '@tollgate/test-kit/infra';
import { collectEvents, type EventCollector } from './event-collector.ts';
import { type Call, createCall } from './member-call.ts';
import { describeProcess, type PlatformProcess, type PlatformSettings } from './platform-process.ts';
import { makeApplication, signedHeaders, type TestApplication } from './test-application.ts';

export type { TestApplication };

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
  createApplication(): Promise<TestApplication>;
  /** Another applications instance on the same MongoDB, with a NATS of its own. */
  startApplicationsBeside(natsUrl: string): Promise<{ call: Call; stop(): Promise<void> }>;
  collectEvents(): EventCollector;
  paymentsUrl: string;
  /** Headers with which payments takes a request that comes around the gateway, valid for 30 s. */
  signedHeaders(
    application: TestApplication,
    environment: Environment,
    request: { method: string; path: string; body: string },
  ): Record<string, string>;
  stop(): Promise<void>;
}

export async function startPlatform({
  paymentsInstances = 1,
  gatewayLogLevel = 'warn',
} = {}): Promise<Platform> {
  const infra = await startInfra();
  const settings = await choose(infra);
  const { secrets, docsBaseUrl, ports } = settings;
  const owner: Actor = { team_id: newId('team'), member_id: newId('member'), role: 'owner', address: null };

  const paymentsPorts = await findFreePorts(paymentsInstances);
  const [applications, gateway, ...payments] = (await Promise.all([
    describeProcess('applications', settings),
    describeProcess('gateway', settings, { LOG_LEVEL: gatewayLogLevel }),
    ...paymentsPorts.map((port) => describeProcess('payments', settings, { PORT: String(port) })),
  ])) as [PlatformProcess, PlatformProcess, PlatformProcess];
  const all = [applications, ...payments, gateway];
  const bus = await connectBus({ url: infra.natsUrl, name: 'tests' });
  const call = createCall(bus, secrets.ACTOR_SIGNING_KEY, owner);
  const baseUrl = { live: `http://127.0.0.1:${ports.live}`, sandbox: `http://127.0.0.1:${ports.sandbox}` };

  async function stop() {
    await bus.close();
    await Promise.all(all.map((process) => process.stop()));
    await infra.stop();
    await rm(settings.dataDir, { recursive: true, force: true });
  }

  async function startApplicationsBeside(natsUrl: string) {
    const beside = await describeProcess('applications', { ...settings, natsUrl });
    await beside.start();
    const itsBus = await connectBus({ url: natsUrl, name: 'tests' });
    const stopBeside = async () => {
      await itsBus.close();
      await beside.stop();
    };
    return { call: createCall(itsBus, secrets.ACTOR_SIGNING_KEY, owner), stop: stopBeside };
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
    processes: { applications, payments: payments[0], gateway },
    pids: () => all.map(({ pid }) => pid),
    call,
    createApplication: () => makeApplication(call, owner.team_id, baseUrl),
    startApplicationsBeside,
    collectEvents: () => collectEvents(bus),
    paymentsUrl: `http://127.0.0.1:${paymentsPorts[0]}`,
    signedHeaders: (application, environment, request) =>
      signedHeaders(parseKeyring(secrets.INTERNAL_SIGNING_KEYS), application, environment, request),
    stop,
  };
}

async function choose(infra: Infra): Promise<PlatformSettings> {
  const [live, sandbox] = (await findFreePorts(2)) as [number, number];
  return {
    secrets: generateSecrets(),
    ports: { live, sandbox },
    mongodbUrl: infra.mongodbUrl,
    natsUrl: infra.natsUrl,
    docsBaseUrl: `http://localhost:${live}/docs`,
    dataDir: await mkdtemp(join(tmpdir(), 'tollgate-test-platform-')),
  };
}
