import { hostname } from 'node:os';
import { type Document, documentOf, integer } from '../bson/document.ts';
import { matches, parseFilter } from '../semantics/filter.ts';
import type { ConnectionState, Connections } from '../wire/connection-state.ts';
import type { Command } from './command.ts';
import { readBoolean } from './fields.ts';
import { isGenericField } from './generic-fields.ts';
import { assertAdmin } from './namespace.ts';
import { ok } from './replies.ts';

const OPTIONS = ['currentOp', '$all', '$ownOps', '$truncateOps'];

/** Reports the operations in progress. The other fields of the command filter them. */
export const currentOp: Command = {
  name: 'currentOp',
  run(request, { connections }) {
    assertAdmin(request);
    const isOption = (field: string) => OPTIONS.includes(field) || isGenericField(field);
    const filter = parseFilter(new Map([...request.body].filter(([field]) => !isOption(field))));
    const operations = operationsOf(connections, readBoolean(request, '$all'));
    return ok({ inprog: operations.filter((operation) => matches(filter, operation)) });
  },
};

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
