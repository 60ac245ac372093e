import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { NatsServer } from './find-nats-server.ts';
import { natsServerConfiguration } from './server-configuration.ts';

const CONNECT_TIMEOUT_MS = 2_000;

/**
 * Writes the configuration of a server that stores everything in `folder`.
 * @returns the command to run
 */
export async function prepareNatsServer(
  server: NatsServer,
  settings: { folder: string; port: number; authorization: string },
): Promise<{ command: string; args: string[] }> {
  await mkdir(settings.folder, { recursive: true });
  const file = join(settings.folder, 'nats-server.conf');
  const { port, authorization } = settings;
  const storeDir = natsStoreDir(settings.folder);
  // Mode 600: the file contains the passwords.
  await writeFile(file, natsServerConfiguration({ port, storeDir, authorization }, server.version), {
    mode: 0o600,
  });
  return { command: server.path, args: ['--config', file] };
}

/** Folder of JetStream's files. Deleting it simulates a store loss. */
export function natsStoreDir(folder: string): string {
  return join(folder, 'store');
}

/** Returns true if a server sends its greeting on the port and JetStream is running. */
export function natsIsReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: CONNECT_TIMEOUT_MS });
    let greeting = '';
    const finish = (ready: boolean) => {
      socket.destroy();
      resolve(ready);
    };
    socket.setEncoding('utf8').on('data', (text: string) => {
      greeting += text;
      // `INFO {…}\r\n` comes first, before any login.
      if (greeting.includes('\r\n'))
        finish(greeting.startsWith('INFO') && greeting.includes('"jetstream":true'));
    });
    socket.once('error', () => finish(false));
    socket.once('timeout', () => finish(false));
    socket.once('close', () => finish(false));
  });
}
