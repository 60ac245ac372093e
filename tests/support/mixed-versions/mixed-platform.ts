import { rm } from 'node:fs/promises';
import { type Bus, connectBus } from '@tollgate/bus/connection';
import { generateSecrets } from '@tollgate/launcher/secrets';
import { CHECKOUT_DIR } from '@tollgate/local-servers/checkout';
import type { Infra } from '@tollgate/test-kit/infra';
import { chooseSettings } from '../platform/platform.ts';
import { requireNoDenial, startPlatformInfra } from '../platform/platform-infra.ts';
import type { PlatformSettings } from '../platform/platform-process.ts';
import { checkOutPreviousVersion } from './previous-checkout.ts';
import {
  createVersionedProcesses,
  type GatewayAddress,
  SERVICES,
  type Version,
  type VersionedProcesses,
} from './versioned-processes.ts';

/** A platform whose processes are of two versions, on one NATS and one MongoDB. */
export interface MixedPlatform {
  infra: Infra;
  /** A change affects only processes that start after it. */
  settings: PlatformSettings;
  bus: Bus;
  setupToken: string;
  processes: VersionedProcesses;
  /** Each running gateway in turn, like a load balancer. */
  nextGateway(): GatewayAddress;
  stop(): Promise<void>;
}

/** Starts all processes in the previous version. */
export async function startMixedPlatform(): Promise<MixedPlatform> {
  const checkouts = { previous: await checkOutPreviousVersion(), current: CHECKOUT_DIR };
  return startPlatformOf('previous', checkouts);
}

/** Starts all processes in one version. */
export async function startPlatformOf(
  version: Version,
  checkouts: Record<Version, string>,
): Promise<MixedPlatform> {
  const secrets = generateSecrets();
  const infra = await startPlatformInfra(secrets);
  const settings = await chooseSettings(infra, secrets);
  const bus = await connectBus({ url: infra.natsUrl, name: 'tests' });
  const processes = createVersionedProcesses(settings, checkouts);
  let turn = 0;

  async function stop() {
    await bus.close();
    await processes.stop();
    try {
      await requireNoDenial(infra);
    } finally {
      await infra.stop();
      await rm(settings.dataDir, { recursive: true, force: true });
    }
  }
  try {
    await Promise.all(SERVICES.map((name) => processes.start(name, version)));
    await processes.start('gateway', version);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    infra,
    settings,
    bus,
    setupToken: settings.secrets.SETUP_TOKEN,
    processes,
    nextGateway() {
      const gateways = processes.gateways();
      return gateways[turn++ % gateways.length] as GatewayAddress;
    },
    stop,
  };
}
