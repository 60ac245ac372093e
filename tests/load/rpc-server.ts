import { connectBus } from '@tollgate/bus/connection';
import { serveRpc } from '@tollgate/bus/rpc';
import { createLogger } from '@tollgate/runtime/logger';
import { BARE_SUBJECT, PAYMENT, readPayment } from './read-payment-rpc.ts';

/**
 * A service that replies with a payment: to RPCs, and to bare NATS requests. Both parse the request and serialize the
 * reply.
 *
 * Usage: fork(rpc-server.ts, [NATS URL])
 */
const bus = await connectBus({ url: process.argv[2] ?? '', name: 'benchmark-server' });
const rpc = serveRpc(bus, readPayment, async () => PAYMENT, {
  logger: createLogger({ service: 'benchmark', level: 'error' }),
});
bus.nats.subscribe(BARE_SUBJECT, {
  callback(_error, message) {
    message.json();
    message.respond(JSON.stringify({ ok: PAYMENT }));
  },
});
await bus.nats.flush();
process.on('disconnect', async () => {
  await rpc.stop();
  await bus.close();
});
process.send?.('ready');
