import type { Bus } from '@tollgate/bus/connection';
import { serveRpc } from '@tollgate/bus/rpc';
import type { Actor } from '@tollgate/contracts/actor';
import {
  eventsSince as eventsSinceContract,
  settlePayment as settleContract,
} from '@tollgate/contracts/rpc/payments';
import type { Clock } from '@tollgate/service-kit/clock';
import type { Logger } from '@tollgate/service-kit/logger';
import { eventsSince } from './events-since.ts';
import type { PaymentOutbox } from './payment-outbox.ts';
import type { PaymentStore } from './payment-store.ts';
import { settlePayment } from './settle-payment.ts';

export interface RpcDeps {
  bus: Bus;
  store: PaymentStore;
  outbox: PaymentOutbox;
  clock: Clock;
  logger: Logger;
  verifyActor: (token: string) => Promise<Actor>;
}

/** Serves `rpc.payments.settle` and `rpc.payments.events_since`. */
export function servePaymentsRpc(deps: RpcDeps): { stop(): Promise<void> } {
  const { bus, verifyActor, logger } = deps;
  const servers = [
    serveRpc(
      bus,
      settleContract,
      ({ application_id, payment_id, outcome }, { actor }) =>
        settlePayment(deps, { actor, applicationId: application_id, paymentId: payment_id, outcome }),
      { verifyActor, logger },
    ),
    serveRpc(bus, eventsSinceContract, (request) => eventsSince(deps, request), { logger }),
  ];
  return {
    async stop() {
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}
