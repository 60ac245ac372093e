import type { Bus } from '@tollgate/bus/connection';
import { createPublisher } from '@tollgate/bus/publisher';
import { callRpc } from '@tollgate/bus/rpc';
import { Problem } from '@tollgate/contracts/problem';
import { confirmWindows } from '@tollgate/contracts/rpc/usage';
import { USAGE_WINDOWS_SUBJECT } from '@tollgate/contracts/streams';
import { usageWindowId } from '@tollgate/contracts/usage';
import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import { type Periodic, startPeriodic } from '@tollgate/runtime/periodic';
import { Counter, Gauge, type Registry } from 'prom-client';
import { type CountRequests, createCountRequests } from './count-requests.ts';
import { createUsageRecorder } from './usage-recorder.ts';
import { openUsageSpool } from './usage-spool.ts';
import { createWindowShipper, type WindowShipper } from './window-shipper.ts';

const SHIP_INTERVAL_MS = 1_000;

export interface GatewayUsage extends CountRequests {
  /** Begins to bring windows to the usage service, those of earlier lives of this instance first. */
  startShipping(bus: Bus): void;
  /** Closes the last window and tries once more to publish; what does not go now goes after the next start. */
  stop(): Promise<void>;
}

/** Counts the responses of this gateway, keeps it on disk, and ships it. Throws when another gateway has the folder. */
export function createGatewayUsage(deps: {
  spoolDir: string;
  clock: Clock;
  logger: Logger;
  registry: Registry;
}): GatewayUsage {
  const { spoolDir, clock, logger, registry } = deps;
  const spool = openUsageSpool(spoolDir);
  const writeFailures = new Counter({
    name: 'tollgate_gateway_usage_write_failures_total',
    help: 'Times that usage could not be written down before the response',
    registers: [registry],
  });
  new Gauge({
    name: 'tollgate_gateway_usage_windows_waiting',
    help: 'Windows of usage that the usage service has not confirmed',
    registers: [registry],
    collect() {
      this.set(spool.closedWindows().length);
    },
  });

  /** From the moment that NATS is connected; windows wait on disk until then. */
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
  });

  return {
    ...createCountRequests({ recorder, clock }),

    startShipping(bus) {
      const publisher = createPublisher(bus);
      const shipper = createWindowShipper({
        spool,
        publish: (window) =>
          publisher.publish(USAGE_WINDOWS_SUBJECT, window, { messageId: usageWindowId(window) }),
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
        logger.warn({ err: error }, 'the last usage stays on disk until the next start');
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
    // Without the usage service windows wait on disk: an operator sees it by the gauge, not by a line each second.
    if (!(error instanceof Problem)) throw error;
  }
}
