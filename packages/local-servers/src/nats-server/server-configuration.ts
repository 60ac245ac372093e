import { isAtLeast, type ServerVersion } from './server-version.ts';

/** First version with `sync_interval`. Older servers reject a configuration that contains it. */
const FIRST_WITH_SYNC_INTERVAL: ServerVersion = { major: 2, minor: 10, patch: 0 };

export interface NatsServerSettings {
  port: number;
  /** Folder of JetStream's files. */
  storeDir: string;
  /** The `authorization` block, with its passwords. */
  authorization: string;
}

/** Returns the configuration file of a nats-server on one machine, for its version. */
export function natsServerConfiguration(settings: NatsServerSettings, version: ServerVersion): string {
  const quoted = (text: string) => JSON.stringify(text);
  const jetstream = [`store_dir: ${quoted(settings.storeDir)}`];
  // By default, an acknowledged message may reach the disk up to two minutes later.
  if (isAtLeast(version, FIRST_WITH_SYNC_INTERVAL)) jetstream.push('sync_interval: always');
  return [
    `listen: ${quoted(`127.0.0.1:${settings.port}`)}`,
    `jetstream {\n  ${jetstream.join('\n  ')}\n}`,
    settings.authorization,
  ].join('\n');
}
