import { hostname } from 'node:os';
import { documentOf, integer } from '../bson/document.ts';
import { SERVER_VERSION } from '../server-version.ts';
import { MAX_CONNECTIONS } from '../wire/limits.ts';
import type { Command } from './command.ts';
import { ok } from './replies.ts';

const MS_PER_SECOND = 1000;
const BYTES_PER_MIB = 1024 * 1024;

/** The part of mongod's serverStatus that applies to this server. */
export const serverStatus: Command = {
  name: 'serverStatus',
  run(_request, { store, cursors, startedAt, connections }) {
    const uptimeMs = Date.now() - startedAt;
    return ok({
      host: hostname(),
      version: SERVER_VERSION,
      process: 'embedded-mongodb',
      pid: integer(process.pid),
      uptime: integer(Math.floor(uptimeMs / MS_PER_SECOND)),
      uptimeMillis: integer(uptimeMs),
      localTime: new Date(),
      connections: documentOf({
        current: integer(connections.open.size),
        available: integer(MAX_CONNECTIONS - connections.open.size),
        totalCreated: integer(connections.totalCreated),
        active: integer([...connections.open].filter(({ operation }) => operation !== undefined).length),
      }),
      metrics: documentOf({
        cursor: documentOf({ open: documentOf({ total: integer(cursors.openCount) }) }),
      }),
      mem: documentOf({ resident: integer(Math.round(process.memoryUsage.rss() / BYTES_PER_MIB)) }),
      storageEngine: documentOf({ name: 'sqlite', persistent: true, commits: integer(store.commits()) }),
    });
  },
};
