import type { Registry } from 'prom-client';
import { onStop } from './graceful-stop.ts';
import type { Logger } from './logger.ts';
import { createMetrics } from './metrics.ts';
import { startOpsServer } from './ops-server.ts';

/** A service that is reached over the bus alone. */
export interface ServiceApp {
  start(): void;
  /** Why it should get no work; empty when it is ready. */
  reasonsNotReady(): string[];
  /** Answers what is under way and publishes what is owed, over connections that are still open. */
  stop(): Promise<void>;
}

/**
 * The life of such a service, once it is connected and wired: it opens the ops server, starts the app and says so; when it is told to stop, it becomes
 * unready, lets the app end its work, and closes the connections in the order given. Rejects when the ops port is taken.
 */
export async function runService(options: {
  name: string;
  app: ServiceApp;
  /** By the name that the log shall use. */
  connections: Record<string, { close(): Promise<unknown> }>;
  config: { opsHost: string; opsPort: number };
  logger: Logger;
  /** As `createMetrics` makes it, where the service adds metrics of its own; absent, there are those of the process alone. */
  registry?: Registry;
}): Promise<void> {
  const { name, app, connections, config, logger, registry = createMetrics(name) } = options;
  let isStopping = false;
  const ops = await startOpsServer({
    host: config.opsHost,
    port: config.opsPort,
    reasonsNotReady: () => (isStopping ? ['it is stopping'] : app.reasonsNotReady()),
    registry,
  });
  app.start();
  logger.info({ url: ops.url }, `${name} is serving RPC`);

  onStop({
    logger,
    steps: [
      {
        name: 'become unready',
        run: () => {
          isStopping = true;
        },
      },
      { name: 'answer and publish what is under way', run: () => app.stop() },
      ...Object.entries(connections).map(([connectionName, connection]) => ({
        name: `close ${connectionName}`,
        run: () => connection.close(),
      })),
      // The last, so that until then a probe hears why there is no answer.
      { name: 'close the ops server', run: () => ops.stop() },
    ],
  });
}
