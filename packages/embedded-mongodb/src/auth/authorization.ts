import type { ConnectionUser } from '../wire/connection-state.ts';

/** Commands of mongod's role `readWrite` that are in scope. */
const READ_WRITE = new Set(
  `aggregate count create createIndexes dbStats delete distinct drop dropIndexes explain find findAndModify
  getMore insert killCursors listCollections listIndexes update`.split(/\s+/),
);

/**
 * Whether the user may run the command on the database: a user of one database has the role `readWrite` there. No
 * command or pipeline stage in scope reads or writes a database besides the one that the request names.
 */
export function isAuthorized(
  user: ConnectionUser,
  { command, databaseName }: { command: string; databaseName: string },
): boolean {
  if (user.onlyDatabase === undefined) return true;
  return user.onlyDatabase === databaseName && READ_WRITE.has(command);
}
