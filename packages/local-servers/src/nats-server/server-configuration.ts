import { isAtLeast, type ServerVersion } from './server-version.ts';

/** `sync_interval` exists from here on; older servers fail to start with a file that has it. */
const FIRST_WITH_SYNC_INTERVAL: ServerVersion = { major: 2, minor: 10, patch: 0 };

export interface NatsServerSettings {
  port: number;
  /** JetStream's files. */
  storeDir: string;
  user: string;
  password: string;
}

/** The configuration file of a nats-server for one machine, in the words that its version knows. */
export function natsServerConfiguration(settings: NatsServerSettings, version: ServerVersion): string {
  const quoted = (text: string) => JSON.stringify(text);
  const jetstream = [`store_dir: ${quoted(settings.storeDir)}`];
  // By default an acknowledged message is on disk only after the next two minutes' sync.
  if (isAtLeast(version, FIRST_WITH_SYNC_INTERVAL)) jetstream.push('sync_interval: always');
  return [
    `listen: ${quoted(`127.0.0.1:${settings.port}`)}`,
    `jetstream {\n  ${jetstream.join('\n  ')}\n}`,
    `authorization {\n  user: ${quoted(settings.user)}\n  password: ${quoted(settings.password)}\n}`,
    '',
  ].join('\n');
}
