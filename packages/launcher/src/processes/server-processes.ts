import { join } from 'node:path';
import { embeddedMongoDBCommand } from '@tollgate/local-servers/embedded-mongodb';
import { isPortOpen } from '@tollgate/local-servers/is-port-open';
import type { NatsServer } from '@tollgate/local-servers/nats-server/find-nats-server';
import { natsIsReady, prepareNatsServer } from '@tollgate/local-servers/nats-server/nats-process';
import type { DataPaths } from '../data-dir.ts';
import type { Secrets } from '../secrets.ts';
import type { ProcessSpec } from './supervised-process.ts';

interface ServerOptions {
  port: number;
  secrets: Secrets;
  paths: DataPaths;
  inherited: Record<string, string>;
}

export function mongodbProcess({ port, secrets, paths, inherited }: ServerOptions): ProcessSpec {
  const path = join(paths.mongodbDir, 'data.db');
  const { command, args, env } = embeddedMongoDBCommand({ port, path, ...secrets.mongodb });
  return {
    name: 'mongodb',
    command,
    args,
    env: { ...inherited, ...env },
    isReady: () => isPortOpen(port),
  };
}

export async function natsProcess({
  port,
  server,
  secrets,
  paths,
  inherited,
}: ServerOptions & { server: NatsServer }): Promise<ProcessSpec> {
  const settings = { folder: paths.natsDir, port, ...secrets.nats };
  const { command, args } = await prepareNatsServer(server, settings);
  return { name: 'nats', command, args, env: inherited, isReady: () => natsIsReady(port) };
}
