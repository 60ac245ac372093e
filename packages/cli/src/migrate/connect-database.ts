import { DATABASES, type DatabaseOwner } from '@tollgate/contracts/platform/databases';
import type { Logger } from '@tollgate/runtime/logger';
import { connectMongoDB } from '@tollgate/store/mongodb';

export type Connection = Awaited<ReturnType<typeof connectMongoDB>>;

/** Connects to the database of a service, with the options of the service. Prints nothing. */
export function connectDatabase(
  url: string,
  owner: DatabaseOwner,
  options: { isPatient?: boolean } = {},
): Promise<Connection> {
  return connectMongoDB({ url, database: DATABASES[owner], appName: 'tollgate', logger: SILENT, ...options });
}

const SILENT: Logger = {
  fatal() {},
  error() {},
  warn() {},
  info() {},
  debug() {},
  child: () => SILENT,
};
