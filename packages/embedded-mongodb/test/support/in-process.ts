import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { Document } from '../../src/bson/document.ts';
import type { ServerContext } from '../../src/commands/command.ts';
import { runCommand } from '../../src/commands/run-command.ts';
import { type CursorBatch, createCursorRegistry } from '../../src/cursors.ts';
import { openStore } from '../../src/storage/store.ts';
import { noConnections } from '../../src/wire/connection-state.ts';
import { doc, type Shorthand } from '../shorthand.ts';
import { temporaryFolder } from './server-under-test.ts';

export type Run = (command: { [name: string]: Shorthand }) => Document | CursorBatch;

/** Runs commands on the database `test` without a connection, on the thread of the test regardless of duration. */
export function startInProcess(): Run {
  const store = openStore({ path: join(temporaryFolder(), 'data.db'), fsync: false });
  const cursors = createCursorRegistry();
  afterAll(() => {
    cursors.close();
    store.close();
  });
  const connections = noConnections();
  const server: ServerContext = { store, cursors, authenticator: undefined, startedAt: 0, connections };
  const connection = {
    id: 1,
    remoteAddress: '',
    user: undefined,
    conversation: undefined,
    operation: undefined,
  };
  return (command) => {
    const body = doc({ ...command, $db: 'test' });
    const sender = { requestId: 1, replyFormat: 'OP_MSG', wantsReply: true } as const;
    return runCommand({ ...sender, body, sequences: new Map() }, connection, server);
  };
}

/** The code of an error reply; undefined for any other reply. */
export function errorCode(reply: Document | CursorBatch): number | undefined {
  return reply instanceof Map ? (reply.get('code') as { value: number } | undefined)?.value : undefined;
}
