import { resolve } from 'node:path';
import { ArgumentError, type Command, EXIT_OK } from '../command.ts';
import { explainFailure } from '../explain-failure.ts';
import { parseOptions } from '../parse-options.ts';
import { formatTotals } from './format-totals.ts';

const USAGE = `Usage: tollgate export --to <folder> [options]

Writes all six databases of Tollgate to a folder, from which tollgate import writes them to another server, as BSON with the indexes and
a digest of each collection. Stop all processes of Tollgate except its servers first: a change during the export is detected, and the
export fails.

  --to <folder>        the folder to create
  --data-dir <folder>  the data folder of a stopped npm start or all-in-one container, in place of MONGODB_URL
  --json               prints the manifest of the export as JSON

MONGODB_URL, or the file in MONGODB_URL_FILE, is the address of the server, with a user that may read all six databases.

Exit code: 0 done, 2 failed.`;

export const exportCommand: Command = {
  summary: 'writes all databases to a folder, to move to another server',
  usage: USAGE,
  async run(args, terminal) {
    const values = parseOptions(args, {
      to: { type: 'string' },
      'data-dir': { type: 'string' },
      json: { type: 'boolean', default: false },
    });
    if (values.to === undefined) throw new ArgumentError('Pass the folder to create with --to.');
    const to = resolve(values.to);
    const dataDir = values['data-dir'];
    const signal = terminal.untilInterrupted();
    // Loaded here, so that other commands start without the driver of MongoDB.
    const [{ openServer }, { requireNoServices }, { exportDatabases }, { requireDataFile }, { systemClock }] =
      await Promise.all([
        import('./open-server.ts'),
        import('./connected-services.ts'),
        import('./export-databases.ts'),
        import('../backup/require-data-file.ts'),
        import('@tollgate/runtime/clock'),
      ]);
    const server = await openServer(dataDir, terminal, (paths) =>
      requireDataFile(paths, 'set MONGODB_URL in place of --data-dir'),
    );
    const { client } = server;
    try {
      const manifest = await explainFailure('Nothing was exported.', async () => {
        await requireNoServices(client, terminal);
        return exportDatabases({
          client,
          to,
          clock: systemClock,
          signal,
          onCollection: (namespace) => terminal.printError(`exporting ${namespace}`),
        });
      });
      const lines = values.json
        ? [JSON.stringify(manifest, null, 2)]
        : [
            `Exported ${formatTotals(manifest)} to ${to}.`,
            'It has the data of payers, and no secrets of the installation.',
          ];
      for (const line of lines) terminal.print(line);
      return EXIT_OK;
    } finally {
      await server.close();
    }
  },
};
