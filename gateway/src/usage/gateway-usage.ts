import type { Bus } from '@tollgate/bus/connection';
import { createPublisher } from '@tollgate/bus/publisher';
import { callRpc } from '@tollgate/bus/rpc';
import { Problem } from '@tollgate/contracts/platform/problem';
import { USAGE_WINDOWS_SUBJECT } from '@tollgate/contracts/platform/streams';
import { confirmWindows } from '@tollgate/contracts/usage/rpc';
import { usageWindowId } from '@tollgate/contracts/usage/usage';
import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import { type Periodic, startPeriodic } from '@tollgate/runtime/periodic';
import type { Signer } from '@tollgate/security/signature';
import { Counter, Gauge, type Registry } from 'prom-client';
import { type CountRequests, createCountRequests } from './count-requests.ts';
import { createUsageRecorder } from './usage-recorder.ts';
import { openUsageSpool } from './usage-spool.ts';
import { createWindowShipper, type WindowShipper } from './window-shipper.ts';

const SHIP_INTERVAL_MS = 1_000;

export interface GatewayUsage extends CountRequests {
  /** Starts to ship windows to the usage service, including those of earlier processes of this instance. */
  startShipping(bus: Bus): void;
  /** Closes the last window and tries once more to publish. Unpublished windows are shipped after the next start. */
  stop(): Promise<void>;
}

/**
 * Counts this gateway's responses, stores the counts on disk, and ships them. Throws if another gateway uses the
 * folder.
 */
export function createGatewayUsage(deps: {
  spoolDir: string;
  signer: Signer;
  clock: Clock;
  logger: Logger;
  registry: Registry;
  windowMs?: number;
}): GatewayUsage {
  const { spoolDir, signer, clock, logger, registry, windowMs } = deps;
  const spool = openUsageSpool(spoolDir);
  const writeFailures = new Counter({
    name: 'tollgate_gateway_usage_write_failures_total',
    help: 'Failures to write usage to disk before the response',
    registers: [registry],
  });
  new Gauge({
    name: 'tollgate_gateway_usage_windows_waiting',
    help: 'Usage windows that the usage service has not confirmed',
    registers: [registry],
    collect() {
      this.set(spool.closedWindows().length);
    },
  });

  /** Set when NATS is connected. Windows wait on disk until then. */
  let shipping: { shipper: WindowShipper; periodic: Periodic; ship(): Promise<void> } | undefined;
  const recorder = createUsageRecorder({
    spool,
    clock,
    logger,
    onClosed(number, window) {
      shipping?.shipper.closed(number, window);
      shipping?.periodic.trigger();
    },
    onWriteFailure: () => writeFailures.inc(),
    ...(windowMs !== undefined && { windowMs }),
  });

  return {
    ...createCountRequests({ recorder, clock }),

    startShipping(bus) {
      const publisher = createPublisher(bus);
      const shipper = createWindowShipper({
        spool,
        publish: (window) =>
          publisher.publish(USAGE_WINDOWS_SUBJECT, signer.sign('usage_window', window), {
            messageId: usageWindowId(window),
          }),
        confirm: async (gatewayId, numbers) =>
          (await callRpc(bus, confirmWindows, { gateway_id: gatewayId, numbers })).stored,
        logger,
      });
      const ship = () => shipWhileConnected(bus, shipper);
      const periodic = startPeriodic({ name: 'ship usage', intervalMs: SHIP_INTERVAL_MS, run: ship, logger });
      shipping = { shipper, periodic, ship };
    },

    async stop() {
      recorder.stop();
      await shipping?.periodic.stop();
      await shipping?.ship().catch((error: unknown) => {
        logger.warn({ err: error }, 'failed to ship the last usage; it stays on disk until the next start');
      });
      spool.release();
    },
  };
}

async function shipWhileConnected(bus: Bus, shipper: WindowShipper): Promise<void> {
  if (!bus.isConnected()) return;
  try {
    await shipper.ship();
  } catch (error) {
    // While the usage service is down, windows wait on disk. The gauge shows it; a log line every second would not
    // help.
    if (!(error instanceof Problem)) throw error;
  }
}
