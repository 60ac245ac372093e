import { rm } from 'node:fs/promises';
import { type Bus, connectBus } from '@tollgate/bus/connection';
import type { Environment } from '@tollgate/contracts/environment';
import { CHECKOUT_DIR } from '@tollgate/local-servers/checkout';
import { findFreePorts } from '@tollgate/local-servers/free-ports';
import { type ChildServer, startChildServer } from '@tollgate/test-kit/child-server';
import { type Infra, startInfra } from '@tollgate/test-kit/infra';
import { chooseSettings } from '../platform/platform.ts';
import { type PlatformSettings, processSpec, START_TIMEOUT_MS } from '../platform/platform-process.ts';
import { type LogLine, parseLog } from './log-lines.ts';
import { checkOutPreviousVersion } from './previous-checkout.ts';

/** The documented order: readers before writers, gateways last. */
export const SERVICES = ['audit', 'webhooks', 'usage', 'payments', 'applications', 'accounts'] as const;
export type ReplaceableProcess = (typeof SERVICES)[number] | 'gateway';

export type Version = 'previous' | 'current';

export interface GatewayAddress {
  baseUrl: Record<Environment, string>;
  adminUrl: string;
}

/** One running process. */
interface Instance {
  name: ReplaceableProcess;
  version: Version;
  server: ChildServer;
  /** Of a gateway. */
  address: GatewayAddress | null;
}

/** A platform whose processes are of two versions, on one NATS and one MongoDB, with the same secrets. */
export interface MixedPlatform {
  infra: Infra;
  bus: Bus;
  setupToken: string;
  /** A gateway that accepts requests, each in turn, like a load balancer. */
  nextGateway(): GatewayAddress;
  gateways(): GatewayAddress[];
  /**
   * Replaces a process by one of another version, as a rolling upgrade does: starts the new one, calls `meanwhile` while
   * both run, then stops the old one.
   */
  replace(name: ReplaceableProcess, version: Version, meanwhile: () => Promise<void>): Promise<void>;
  /** Everything that processes have logged so far, from level `warn`. */
  log(): LogLine[];
  stop(): Promise<void>;
}

/** Starts all processes in the previous version. */
export async function startMixedPlatform(): Promise<MixedPlatform> {
  const checkouts = { previous: await checkOutPreviousVersion(), current: CHECKOUT_DIR };
  const infra = await startInfra();
  const settings = await chooseSettings(infra);
  const bus = await connectBus({ url: infra.natsUrl, name: 'tests' });
  const running: Instance[] = [];
  const ended: Instance[] = [];
  let turn = 0;

  async function start(name: ReplaceableProcess, version: Version): Promise<void> {
    const ports = name === 'gateway' ? await freeGatewayPorts(settings) : settings.ports;
    const spec = await processSpec(name, { ...settings, ports });
    const args = spec.args.map((arg) => arg.replace(CHECKOUT_DIR, checkouts[version]));
    const title = `${name} (${version})`;
    const server = await startChildServer({ ...spec, args, name: title, timeoutMs: START_TIMEOUT_MS });
    running.push({ name, version, server, address: name === 'gateway' ? addressOf(ports) : null });
  }

  async function end(instance: Instance): Promise<void> {
    // From here on, the load balancer sends it no more requests.
    running.splice(running.indexOf(instance), 1);
    ended.push(instance);
    await instance.server.stop();
  }

  async function stop() {
    await bus.close();
    await Promise.all([...running].map(end));
    await infra.stop();
    await rm(settings.dataDir, { recursive: true, force: true });
  }

  const gateways = () => running.flatMap(({ address }) => address ?? []);
  try {
    await Promise.all(SERVICES.map((name) => start(name, 'previous')));
    await start('gateway', 'previous');
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    infra,
    bus,
    setupToken: settings.secrets.SETUP_TOKEN,
    gateways,
    nextGateway() {
      const all = gateways();
      return all[turn++ % all.length] as GatewayAddress;
    },
    async replace(name, version, meanwhile) {
      const replaced = running.filter((instance) => instance.name === name);
      await start(name, version);
      await meanwhile();
      await Promise.all(replaced.map(end));
    },
    log: () =>
      [...ended, ...running].flatMap(({ name, version, server }) =>
        parseLog(`${name} (${version})`, server.output()),
      ),
    stop,
  };
}

async function freeGatewayPorts({ ports }: PlatformSettings): Promise<PlatformSettings['ports']> {
  const [live, sandbox, admin] = (await findFreePorts(3)) as [number, number, number];
  return { ...ports, live, sandbox, admin };
}

function addressOf(ports: PlatformSettings['ports']): GatewayAddress {
  const url = (port: number) => `http://127.0.0.1:${port}`;
  return { baseUrl: { live: url(ports.live), sandbox: url(ports.sandbox) }, adminUrl: url(ports.admin) };
}
