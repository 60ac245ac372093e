import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectBus } from '@tollgate/bus/connection';
import type { Environment } from '@tollgate/contracts/platform/environment';
import type { Role } from '@tollgate/contracts/platform/roles';
import { ensureDashboardBuild } from '@tollgate/launcher/dashboard-build/dashboard-build';
import { type Call, callWithSession, startMemberSession } from '@tollgate/launcher/first-run/member-session';
import type { ServerUrls } from '@tollgate/launcher/processes/servers';
import { generateSecrets, type Secrets } from '@tollgate/launcher/secrets';
import { CHECKOUT_DIR } from '@tollgate/local-servers/checkout';
import { findFreePorts } from '@tollgate/local-servers/free-ports';
import { parseKeyring } from '@tollgate/security/keyring';
import type { Infra } from '@tollgate/test-kit/infra';
import { mutationUnderTest } from '../../mutations/mutations.ts';
import { report } from '../report.ts';
import { type AdminClient, adminClient } from './admin-client.ts';
import { CHEAP_PASSWORDS } from './changed-sources/cheap-passwords.ts';
import { preloadEnv, type SourceChange } from './changed-sources/source-change.ts';
import { collectEvents, type EventCollector } from './event-collector.ts';
import { requireNoDenial, serverUrls, startPlatformInfra } from './platform-infra.ts';
import {
  allInOneTopology,
  type PlatformProcess,
  type PlatformSettings,
  type ProcessName,
  separateTopology,
  type Topology,
} from './platform-process.ts';
import { createTestApplication, signedHeaders, type TestApplication } from './test-application.ts';
import { createFirstTeam, createFurtherTeam, type TestMember, type TestTeam } from './test-team.ts';

export type { TestApplication, TestMember, TestTeam };

/** Chats and live endpoints in tests have a loopback address. */
const ACCOUNTS_ENV = { CHAT_ALLOW_PRIVATE_NETWORKS: 'true' };
const WEBHOOKS_ENV = { WEBHOOKS_LIVE_NETWORKS: '127.0.0.0/8' };

type ServiceName = Exclude<ProcessName, 'gateway' | 'dashboard'>;
type Instances = [PlatformProcess, ...PlatformProcess[]];

/** The whole platform as real processes, used through its public interfaces. */
export interface Platform {
  baseUrl: Record<Environment, string>;
  docsBaseUrl: string;
  infra: Infra;
  /** Addresses of NATS and MongoDB, with the users of the processes. */
  urls: ServerUrls;
  /** Secrets of the processes, for tests that act as one of them. */
  secrets: Secrets;
  /** The first instance of each; the dashboard only if requested. */
  processes: Record<ServiceName | 'gateway', PlatformProcess> & { dashboard?: PlatformProcess };
  /** All instances of each service. */
  instances: Record<ServiceName, Instances>;
  /** All instances of the gateway; `baseUrl`, `adminUrl` and `processes.gateway` belong to the first. */
  gateways: { process: PlatformProcess; baseUrl: Record<Environment, string>; adminUrl: string }[];
  /** Files of the processes. */
  dataDir: string;
  /** Process ids, to detect restarts. */
  pids(): (number | null)[];
  adminUrl: string;
  /** The admin API, called as a member: `admin.as(member.session).call(ADMIN_ROUTES.getPayment, {…})`. */
  admin: AdminClient;
  dashboardUrl: string;
  /** The private keys of the issuers, for tests in which an attacker has one. */
  signing: Secrets['signing'];
  /** Keys of the requests between gateways and payments. */
  internalSigningKeys: string;
  /** Sets up a platform that was started with `isSetUp: false`. */
  setupToken: string;
  /** Created by the setup. */
  readonly team: TestTeam;
  /** The owner of `team`, who is also the installation admin. */
  readonly owner: TestMember;
  /** Creates another team with its own owner. */
  createTeam(): Promise<TestTeam>;
  /** Creates a member of `team`. */
  createMember(role: Role): Promise<TestMember>;
  /** @returns the token of a new session */
  signIn(email: string, password: string): Promise<string>;
  /** Calls an RPC as the owner. */
  call: Call;
  /** Creates an application of `team` unless another team is given. */
  createApplication(team?: TestTeam): Promise<TestApplication>;
  /**
   * Starts further instances of applications and accounts on the same MongoDB with another NATS; `call` calls them as
   * the owner.
   */
  startApplicationsBeside(natsUrl: string): Promise<{ call: Call; stop(): Promise<void> }>;
  collectEvents(): EventCollector;
  paymentsUrl: string;
  /** Headers with which payments accepts a request that bypasses the gateway, valid for 30 s. */
  signedHeaders(
    application: TestApplication,
    environment: Environment,
    request: { method: string; path: string; body: string },
  ): Record<string, string>;
  stop(): Promise<void>;
}

export async function startPlatform({
  /** With one instance of everything, all components can run in one process. */
  topology: topologyName = 'separate' as 'separate' | 'all-in-one',
  /** How many of each service; 1 unless given. */
  instances: counts = {} as Partial<Record<ServiceName, number>>,
  /** Added to the environment of payments. */
  paymentsEnv = {} as Record<string, string>,
  /** Added to the environment of the payments instance with this index. */
  paymentsEnvOf = async (_index: number): Promise<Record<string, string>> => ({}),
  /** Added to the environment of webhooks. */
  webhooksEnv = {} as Record<string, string>,
  /** Added to the environment of every process. */
  env = {} as Record<string, string>,
  /** What the processes run in place of their own sources. */
  sourceChanges = [] as readonly SourceChange[],
  /** Modules that every process imports first. */
  preload = [] as readonly URL[],
  /** Starts one gateway per entry, with the entry added to its environment. */
  gatewayEnvs = [{}] as Record<string, string>[],
  gatewayLogLevel = 'warn',
  /** Returns the URL at which gateways reach a payments instance, for a proxy between them. */
  advertise = async (paymentsUrl: string) => paymentsUrl,
  /** Returns the URL at which the gateway with this index reaches NATS, for a proxy between them. */
  advertiseNats = async (natsUrl: string, _gateway: number) => natsUrl,
  /** All components in one process include it. */
  dashboard: wantsDashboard = false,
  /** False for tests of the setup itself. `team`, `owner` and everything that needs them are then unavailable. */
  isSetUp = true,
} = {}): Promise<Platform> {
  const secrets = generateSecrets();
  const infra = await startPlatformInfra(secrets);
  const changes = [...sourceChanges, ...mutationUnderTest()];
  const settings = {
    ...(await chooseSettings(infra, secrets)),
    env: {
      ...preloadEnv(preload, topologyName === 'all-in-one' ? [...changes, ...CHEAP_PASSWORDS] : changes),
      ...env,
    },
  };
  const { docsBaseUrl, ports } = settings;
  const withDashboard = wantsDashboard || topologyName === 'all-in-one';
  const topology = topologyName === 'separate' ? separateTopology(settings) : allInOneTopology(settings);

  async function describeService(
    name: ServiceName,
    envOf: (index: number) => Promise<Record<string, string>> = async () => ({}),
  ): Promise<Instances> {
    const describing = Array.from({ length: counts[name] ?? 1 }, async (_, index) =>
      topology.describe(name, await envOf(index)),
    );
    return (await Promise.all(describing)) as Instances;
  }
  const paymentsPorts = await findFreePorts(counts.payments ?? 1);
  const instances: Platform['instances'] = {
    accounts: await describeService('accounts', async () => ({
      ...ACCOUNTS_ENV,
      ...preloadEnv(preload, [...changes, ...CHEAP_PASSWORDS]),
    })),
    applications: await describeService('applications'),
    usage: await describeService('usage'),
    audit: await describeService('audit'),
    webhooks: await describeService('webhooks', async () => ({ ...WEBHOOKS_ENV, ...webhooksEnv })),
    payments: await describeService('payments', async (index) => {
      const port = paymentsPorts[index] as number;
      return {
        PORT: String(port),
        ADVERTISED_URL: await advertise(urlOf(port)),
        SANDBOX_API_URL: urlOf(ports.sandbox),
        ...paymentsEnv,
        ...(await paymentsEnvOf(index)),
      };
    }),
  };
  const natsUrl = settings.urls.natsUrlOf('gateway');
  const envsOfGateways = await Promise.all(
    gatewayEnvs.map(async (gatewayEnv, index) => ({
      NATS_URL: await advertiseNats(natsUrl, index),
      ...gatewayEnv,
    })),
  );
  const gateways = await describeGateways(topology, settings, envsOfGateways, gatewayLogLevel);
  const dashboard = withDashboard ? await topology.describe('dashboard') : undefined;
  const services = Object.values(instances).flat();
  const gatewayProcesses = gateways.map(({ process }) => process);
  const all = [...services, ...gatewayProcesses, ...(dashboard ? [dashboard] : [])];
  const bus = await connectBus({ url: infra.natsUrl, name: 'tests' });
  const { baseUrl } = gateways[0];
  const adminUrl = urlOf(ports.admin);

  async function stop() {
    await bus.close();
    await Promise.all(all.map((process) => process.stop()));
    try {
      await requireNoDenial(infra);
    } finally {
      await infra.stop();
      await rm(settings.dataDir, { recursive: true, force: true });
    }
  }

  let firstTeam: TestTeam | null = null;
  async function start() {
    if (dashboard) {
      await ensureDashboardBuild({
        checkoutDir: CHECKOUT_DIR,
        logPath: join(settings.dataDir, 'dashboard-build.log'),
        say: report,
      });
    }
    await Promise.all(services.map((process) => process.start()));
    await Promise.all([...gatewayProcesses.map((process) => process.start()), isSetUp ? makeTeam() : null]);
    await dashboard?.start();
  }
  async function makeTeam() {
    firstTeam = await createFirstTeam(bus, secrets.SETUP_TOKEN);
  }
  function team(): TestTeam {
    if (firstTeam === null) throw new Error('The platform was started with `isSetUp: false`.');
    return firstTeam;
  }

  try {
    await start();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    baseUrl,
    docsBaseUrl,
    infra,
    urls: settings.urls,
    secrets,
    processes: {
      accounts: instances.accounts[0],
      applications: instances.applications[0],
      webhooks: instances.webhooks[0],
      usage: instances.usage[0],
      audit: instances.audit[0],
      payments: instances.payments[0],
      gateway: gateways[0].process,
      ...(dashboard && { dashboard }),
    },
    instances,
    gateways,
    dataDir: settings.dataDir,
    pids: () => all.map(({ pid }) => pid),
    adminUrl,
    admin: adminClient(adminUrl),
    dashboardUrl: `http://localhost:${ports.dashboard}`,
    signing: secrets.signing,
    internalSigningKeys: secrets.INTERNAL_SIGNING_KEYS,
    setupToken: secrets.SETUP_TOKEN,
    get team() {
      return team();
    },
    get owner() {
      return team().owner;
    },
    createTeam: () => createFurtherTeam(bus, team().owner),
    createMember: (role) => team().createMember(role),
    signIn: async (email, password) => (await startMemberSession(bus, { email, password })).token,
    call: (contract, request) => team().owner.call(contract, request),
    createApplication: ({ id, owner } = team()) => createTestApplication(owner.call, id, baseUrl),
    startApplicationsBeside: (natsUrl) => startApplicationsBeside(natsUrl, settings, team().owner),
    collectEvents: () => collectEvents(bus),
    paymentsUrl: urlOf(paymentsPorts[0] as number),
    signedHeaders: (application, environment, request) =>
      signedHeaders(parseKeyring(secrets.INTERNAL_SIGNING_KEYS), application, environment, request),
    stop,
  };
}

type Gateways = [Platform['gateways'][0], ...Platform['gateways']];

/** The first gateway listens on the platform's ports, the others on free ones. */
async function describeGateways(
  topology: Topology,
  settings: PlatformSettings,
  [first, ...others]: Record<string, string>[],
  logLevel: string,
): Promise<Gateways> {
  const describe = async (ports: PlatformSettings['ports'], env: Record<string, string> = {}) => ({
    process: await topology.describe('gateway', { LOG_LEVEL: logLevel, ...env }, { ...settings, ports }),
    baseUrl: { live: urlOf(ports.live), sandbox: urlOf(ports.sandbox) },
    adminUrl: urlOf(ports.admin),
  });
  const further = others.map(async (env) => {
    const [live, sandbox, admin] = (await findFreePorts(3)) as [number, number, number];
    return describe({ ...settings.ports, live, sandbox, admin }, env);
  });
  return Promise.all([describe(settings.ports, first), ...further]);
}

/** Starts accounts, too: it resolves the member's session for applications. */
async function startApplicationsBeside(natsUrl: string, settings: PlatformSettings, member: TestMember) {
  const beside = await Promise.all(
    (['accounts', 'applications'] as const).map((name) =>
      separateTopology({ ...settings, urls: { ...settings.urls, natsUrlOf: () => natsUrl } }).describe(name),
    ),
  );
  await Promise.all(beside.map((process) => process.start()));
  const bus = await connectBus({ url: natsUrl, name: 'tests' });
  async function stop() {
    await bus.close();
    await Promise.all(beside.map((process) => process.stop()));
  }
  return { call: callWithSession(bus, member.session), stop };
}

function urlOf(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/** Ports and a data folder for one platform. */
export async function chooseSettings(infra: Infra, secrets: Secrets): Promise<PlatformSettings> {
  const [live, sandbox, admin, dashboard] = (await findFreePorts(4)) as [number, number, number, number];
  return {
    secrets,
    ports: { live, sandbox, admin, dashboard },
    urls: serverUrls(infra, secrets),
    docsBaseUrl: `http://localhost:${live}/docs`,
    dataDir: await mkdtemp(join(tmpdir(), 'tollgate-test-platform-')),
  };
}
