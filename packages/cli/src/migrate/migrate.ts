import type { DatabaseOwner } from '@tollgate/contracts/platform/databases';
import { ArgumentError, type Command, EXIT_NO, EXIT_OK, type Terminal, UsageError } from '../command.ts';
import { parseOptions } from '../parse-options.ts';
import { visible } from '../visible.ts';
import type { IndexResult } from './migrate-database.ts';
import type { Target } from './targets.ts';

const USAGE = `Usage: tollgate migrate [options]

Prepares the databases for this release, before its services start: creates missing indexes one after another, and
stores the version of the schema. It can be interrupted, repeated, and run while services are running.

Reads MONGODB_URL_<SERVICE> for each service, or MONGODB_URL with a user that may write to all their databases. The
users of the services suffice. In the environment of a service, it migrates the database of that service.

  --service <name>[,<name>...]   databases to migrate: accounts, applications, payments, webhooks, usage, audit.
                                 By default all that the environment has a URL for
  --dry-run                      lists what it would do, and changes nothing
  --drop-obsolete                drops the indexes that neither this release nor the one before it uses
  --json                         prints the result as JSON

Exit code: 0 nothing is left to do, 1 an index is missing or was rejected, 2 failed.`;

interface Options {
  isDryRun: boolean;
  dropsObsolete: boolean;
}

export const migrate: Command = {
  summary: 'creates the indexes that a release needs, before its services start',
  usage: USAGE,
  async run(args, terminal) {
    const values = parseOptions(args, {
      service: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      'drop-obsolete': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    });
    const { chooseTargets } = await import('./targets.ts');
    const targets = chooseTargets(terminal.env, values.service);
    if (targets.length === 0) throw new ArgumentError('MONGODB_URL is not set.');
    const options = { isDryRun: values['dry-run'], dropsObsolete: values['drop-obsolete'] };
    const results = new Map<DatabaseOwner, IndexResult[]>();
    const print = values.json ? () => {} : terminal.print;
    for (const target of targets) results.set(target.owner, await migrateTarget(target, options, print));
    if (values.json) terminal.print(JSON.stringify({ databases: Object.fromEntries(results) }, null, 2));
    const isComplete = [...results.values()].flat().every(isSettled);
    return isComplete ? EXIT_OK : EXIT_NO;
  },
};

/** A schema that this release cannot read, and what MongoDB and its driver report: unreachable, or not permitted. */
const isExpected = (error: unknown): error is Error =>
  error instanceof Error && (error.name.startsWith('Mongo') || error.name === 'SchemaUnreadable');

const isSettled = ({ result }: IndexResult) => result !== 'missing' && result !== 'rejected';

async function migrateTarget(
  { owner, url }: Target,
  options: Options,
  print: Terminal['print'],
): Promise<IndexResult[]> {
  // Loaded here, so that other commands start without the driver of MongoDB.
  const [{ SCHEMAS }, { VERSION }, { connectDatabase }, { migrateDatabase }] = await Promise.all([
    import('@tollgate/configuration/schemas'),
    import('@tollgate/runtime/metrics'),
    import('./connect-database.ts'),
    import('./migrate-database.ts'),
  ]);
  const results: IndexResult[] = [];
  try {
    // An index of a large collection takes longer than any request.
    const connection = await connectDatabase(url, owner, { isPatient: true });
    try {
      await migrateDatabase(connection, SCHEMAS[owner], {
        ...options,
        release: VERSION,
        onCreating: ({ collection, name, documents }) =>
          print(`${owner}: creating ${collection}.${name} (about ${documents} documents)`),
        onDone(result) {
          results.push(result);
          print(`${owner}: ${describe(result)}`);
        },
      });
    } finally {
      await connection.close();
    }
  } catch (error) {
    if (!isExpected(error)) throw error;
    throw new UsageError(`${owner}: ${visible(error.message)}`, { cause: error });
  }
  if (results.every(({ result }) => result === 'undeclared')) print(`${owner}: all indexes exist.`);
  return results;
}

function describe({ collection, name, result, documents, duration_ms, message }: IndexResult): string {
  const index = visible(`${collection}.${name}`);
  const detail = message === undefined ? '' : ` ${visible(message)}`;
  switch (result) {
    case 'created':
      return `created ${index} in ${((duration_ms ?? 0) / 1_000).toFixed(1)} s`;
    case 'missing':
      return `would create ${index} (about ${documents} documents)`;
    case 'rejected':
      return `${index} was rejected.${detail}`;
    case 'dropped':
      return `dropped ${index}`;
    case 'undeclared':
      return `nothing declares ${index}.${detail || ' --drop-obsolete drops it.'}`;
  }
}
