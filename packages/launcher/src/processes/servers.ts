import { join } from 'node:path';
import type { ProcessName } from '@tollgate/bus/permissions/process-table';
import type { DatabaseOwner } from '@tollgate/contracts/platform/databases';
import { embeddedMongoDBCommand, embeddedMongoDBUrl } from '@tollgate/local-servers/embedded-mongodb';
import { isPortOpen } from '@tollgate/local-servers/is-port-open';
import type { NatsServer } from '@tollgate/local-servers/nats-server/find-nats-server';
import { natsIsReady, prepareNatsServer } from '@tollgate/local-servers/nats-server/nats-process';
import type { DataPaths } from '../data-dir.ts';
import type { Secrets } from '../secrets.ts';
import { mongodbUsers, natsAuthorization } from '../server-users.ts';
import type { Settings } from '../settings.ts';
import type { ProcessSpec } from './supervised-process.ts';

/** The servers have no requests in flight: all their clients have stopped before. */
const SERVER_STOP_TIMEOUT_MS = 6_000;

/** Where each process finds NATS and MongoDB, with its own user. */
export interface ServerUrls {
  natsUrlOf(process: ProcessName): string;
  mongodbUrlOf(service: DatabaseOwner): string;
}

export interface Servers extends ServerUrls {
  /** Those that the launcher runs itself. */
  processes: ProcessSpec[];
  /** MongoDB with the user that may do everything. */
  mongodbUrl: string;
}

interface ServerOptions {
  secrets: Secrets;
  paths: DataPaths;
  inherited: Record<string, string>;
}

/**
 * Describes the servers of this machine. All processes share the user that `NATS_URL` or `MONGODB_URL` names: the
 * launcher does not know the users of such a server.
 * @param server null if `NATS_URL` points to another server
 */
export async function describeServers(
  options: ServerOptions & {
    settings: Settings;
    ports: { mongodb: number; nats: number };
    server: NatsServer | null;
  },
): Promise<Servers> {
  const { settings, ports, server } = options;
  const mongodb =
    settings.mongodbUrl === '' ? ownMongoDB(ports.mongodb, options) : givenMongoDB(settings.mongodbUrl);
  const nats =
    settings.natsUrl === '' ? await ownNats(ports.nats, server, options) : givenNats(settings.natsUrl);
  return { ...mongodb, ...nats, processes: [...mongodb.processes, ...nats.processes] };
}

function givenMongoDB(url: string): Omit<Servers, 'natsUrlOf'> {
  return { processes: [], mongodbUrl: url, mongodbUrlOf: () => url };
}

function givenNats(url: string): Pick<Servers, 'processes' | 'natsUrlOf'> {
  return { processes: [], natsUrlOf: () => url };
}

function ownMongoDB(port: number, { secrets, paths, inherited }: ServerOptions): Omit<Servers, 'natsUrlOf'> {
  const path = join(paths.mongodbDir, 'data.db');
  const users = mongodbUsers(secrets);
  const { command, args, env } = embeddedMongoDBCommand({ port, path, ...secrets.mongodb, users });
  return {
    processes: [
      {
        name: 'mongodb',
        command,
        args,
        env: { ...inherited, ...env },
        stopTimeoutMs: SERVER_STOP_TIMEOUT_MS,
        isReady: () => isPortOpen(port),
      },
    ],
    mongodbUrl: embeddedMongoDBUrl({ port, ...secrets.mongodb }),
    mongodbUrlOf: (service) =>
      embeddedMongoDBUrl({ port, user: service, password: secrets.mongodbPasswords[service] }),
  };
}

async function ownNats(
  port: number,
  server: NatsServer | null,
  { secrets, paths, inherited }: ServerOptions,
): Promise<Pick<Servers, 'processes' | 'natsUrlOf'>> {
  if (server === null) throw new Error('NATS_URL is not set, and no nats-server was found.');
  const settings = { folder: paths.natsDir, port, authorization: natsAuthorization(secrets) };
  const { command, args } = await prepareNatsServer(server, settings);
  return {
    processes: [
      {
        name: 'nats',
        command,
        args,
        env: inherited,
        stopTimeoutMs: SERVER_STOP_TIMEOUT_MS,
        isReady: () => natsIsReady(port),
      },
    ],
    natsUrlOf: (process) => `nats://${process}:${secrets.natsPasswords[process]}@127.0.0.1:${port}`,
  };
}
