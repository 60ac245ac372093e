import type { Environment } from '@tollgate/contracts/platform/environment';
import { CHECKOUT_DIR } from '@tollgate/local-servers/checkout';
import { findFreePorts } from '@tollgate/local-servers/free-ports';
import { type ChildServer, startChildServer } from '@tollgate/test-kit/child-server';
import { type PlatformSettings, processSpec, START_TIMEOUT_MS } from '../platform/platform-process.ts';
import { type LogLine, parseLog } from './log-lines.ts';

/** Requests that the load balancer has sent to a gateway before it was taken out still arrive there. */
const DRAIN_DELAY = '2s';

export type Version = 'previous' | 'current';

/** The documented order of an upgrade: readers before writers. */
export const SERVICES = ['audit', 'webhooks', 'usage', 'payments', 'applications', 'accounts'] as const;
export type VersionedProcess = (typeof SERVICES)[number] | 'gateway';

export interface GatewayAddress {
  baseUrl: Record<Environment, string>;
  adminUrl: string;
}

interface RunningProcess {
  name: VersionedProcess;
  version: Version;
  server: ChildServer;
  /** Null unless it is a gateway. */
  address: GatewayAddress | null;
}

/** Processes of one platform, each of either version, with the same secrets and settings. */
export interface VersionedProcesses {
  start(name: VersionedProcess, version: Version): Promise<void>;
  /**
   * Replaces each instance of a process by one of this version with the current settings, as a rolling upgrade does: starts
   * the new one, calls `meanwhile` while both run, then stops the old one.
   */
  replace(name: VersionedProcess, version: Version, meanwhile: () => Promise<void>): Promise<void>;
  /** The running gateways that a load balancer sends requests to. */
  gateways(): GatewayAddress[];
  /** Everything that processes have logged so far, from level `warn`. */
  log(): LogLine[];
  stop(): Promise<void>;
}

/** @param checkouts folder of each version */
export function createVersionedProcesses(
  settings: PlatformSettings,
  checkouts: Record<Version, string>,
): VersionedProcesses {
  const running: RunningProcess[] = [];
  const ended: RunningProcess[] = [];

  async function start(name: VersionedProcess, version: Version): Promise<void> {
    const ports = name === 'gateway' ? await freeGatewayPorts(settings) : settings.ports;
    const spec = await processSpec(name, { ...settings, ports }, name === 'gateway' ? { DRAIN_DELAY } : {});
    const server = await startChildServer({
      ...spec,
      name: `${name} (${version})`,
      args: spec.args.map((arg) => arg.replace(CHECKOUT_DIR, checkouts[version])),
      timeoutMs: START_TIMEOUT_MS,
    });
    running.push({ name, version, server, address: name === 'gateway' ? addressOf(ports) : null });
  }

  async function end(process: RunningProcess): Promise<void> {
    // The load balancer sends it no more requests.
    running.splice(running.indexOf(process), 1);
    ended.push(process);
    await process.server.stop();
  }

  return {
    start,
    async replace(name, version, meanwhile) {
      for (const replaced of running.filter((process) => process.name === name)) {
        await start(name, version);
        await meanwhile();
        await end(replaced);
      }
    },
    gateways: () => running.flatMap(({ address }) => address ?? []),
    log: () =>
      [...ended, ...running].flatMap(({ name, version, server }) =>
        parseLog(`${name} (${version})`, server.output()),
      ),
    async stop() {
      await Promise.all([...running].map(end));
    },
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
