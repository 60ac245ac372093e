import { hostname } from 'node:os';
import { type Document, documentOf, integer } from '../bson/document.ts';
import type { ConnectionState, Connections } from '../wire/connection-state.ts';

/** The operations in progress, at most one for each connection, and optionally the idle connections. */
export function operationsOf({ open }: Connections, includesIdle: boolean): Document[] {
  return [...open].filter(({ operation }) => includesIdle || operation !== undefined).map(describe);
}

function describe({ id, remoteAddress, appName, operation }: ConnectionState): Document {
  const now = Date.now();
  const connection = {
    type: 'op',
    host: hostname(),
    desc: `conn${id}`,
    connectionId: integer(id),
    client: remoteAddress,
    ...(appName !== undefined && { appName }),
    active: operation !== undefined,
    currentOpTime: new Date(now).toISOString(),
  };
  if (operation === undefined) return documentOf(connection);
  const { body, startedAt } = operation;
  const [name, target] = body.entries().next().value ?? ['', ''];
  const databaseName = String(body.get('$db'));
  const runningMs = Math.max(0, now - startedAt);
  return documentOf({
    ...connection,
    opid: integer(id),
    secs_running: integer(Math.floor(runningMs / 1000)),
    microsecs_running: integer(runningMs * 1000),
    op: 'command',
    ns: `${databaseName}.${typeof target === 'string' ? target : '$cmd'}`,
    // Omits the other fields: the command may be large, and a SASL payload is secret.
    command: documentOf({ [name]: target, $db: databaseName }),
  });
}
