import { aggregate } from './aggregate.ts';
import { buildInfo } from './build-info.ts';
import type { Command } from './command.ts';
import { connectionStatus } from './connection-status.ts';
import { count } from './count.ts';
import { create } from './create.ts';
import { createIndexes } from './create-indexes.ts';
import { databaseStatistics } from './database-statistics.ts';
import { deleteCommand } from './delete.ts';
import { distinct } from './distinct.ts';
import { drop } from './drop.ts';
import { dropDatabase } from './drop-database.ts';
import { dropIndexes } from './drop-indexes.ts';
import { endSessions } from './end-sessions.ts';
import { createExplain } from './explain.ts';
import { find } from './find.ts';
import { findAndModify } from './find-and-modify.ts';
import { getLog } from './get-log.ts';
import { getMore } from './get-more.ts';
import { hello } from './hello.ts';
import { hostInfo } from './host-info.ts';
import { insert } from './insert.ts';
import { killCursors } from './kill-cursors.ts';
import { listCollections } from './list-collections.ts';
import { listDatabases } from './list-databases.ts';
import { listIndexes } from './list-indexes.ts';
import { outOfScopeCommands } from './out-of-scope-commands.ts';
import { ping } from './ping.ts';
import { saslContinue } from './sasl-continue.ts';
import { saslStart } from './sasl-start.ts';
import { serverStatus } from './server-status.ts';
import { update } from './update.ts';
import { validate } from './validate.ts';

/** Every command in scope. */
export const COMMANDS: readonly Command[] = [
  aggregate,
  buildInfo,
  connectionStatus,
  count,
  create,
  createIndexes,
  databaseStatistics,
  deleteCommand,
  distinct,
  drop,
  dropDatabase,
  dropIndexes,
  endSessions,
  createExplain((name) => commands.get(name)),
  find,
  findAndModify,
  getLog,
  getMore,
  hello,
  hostInfo,
  insert,
  killCursors,
  listCollections,
  listDatabases,
  listIndexes,
  ping,
  saslContinue,
  saslStart,
  serverStatus,
  update,
  validate,
];

/** Every command, by its name and its aliases. */
export const commands: ReadonlyMap<string, Command> = new Map(
  [...COMMANDS, ...outOfScopeCommands].flatMap((command) =>
    [command.name, ...(command.aliases ?? [])].map((name) => [name, command] as const),
  ),
);
