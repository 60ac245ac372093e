import { constants, setPriority } from 'node:os';
import { resolve } from 'node:path';
import { ArgumentError, type Command, EXIT_OK, type Terminal, UsageError } from '../command.ts';
import { explainFailure } from '../explain-failure.ts';
import { parseOptions } from '../parse-options.ts';
import { installationFolder } from './installation-folder.ts';
import type { BackupManifest } from './manifest.ts';

const DEFAULT_MIB_PER_SECOND = 64;
const MIB = 1024 * 1024;

const USAGE = `Usage: tollgate backup --to <folder> [options]

Backs up an installation of npm start or of the all-in-one container while it runs: all databases at one point in time, and the
usage that is not in the database yet. Run the command as the user of the installation, on its machine or in its container.

The folder gets its name after the backup is verified. A backup has no secrets unless you include them. Without secrets.json and
first-run.json of the data folder, it cannot be used: keep a copy of these files in another place.

  --to <folder>        the folder to create
  --data-dir <folder>  the data folder of the installation; by default TOLLGATE_DATA_DIR, or .tollgate
  --with-secrets       also copies the secrets. Anyone with such a backup can read everything: encrypt it
  --max-rate <MiB/s>   maximum rate of the copy; by default ${DEFAULT_MIB_PER_SECOND}
  --json               prints the manifest of the backup as JSON

Exit code: 0 done, 2 failed.`;

export const backup: Command = {
  summary: 'backs up an installation on one machine while it runs',
  usage: USAGE,
  async run(args, terminal) {
    const options = readArguments(args, terminal);
    const signal = terminal.untilInterrupted();
    // Loaded here, so that other commands start without the embedded server.
    const [{ takeBackup }, { dataPaths }, { systemClock }] = await Promise.all([
      import('./take-backup.ts'),
      import('@tollgate/launcher/data-dir'),
      import('@tollgate/runtime/clock'),
    ]);
    // The platform on the same machine has precedence.
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
    const { to, withSecrets, maxBytesPerSecond, dataDir } = options;
    const paths = dataPaths(dataDir);
    const manifest = await explainFailure('No backup was created.', () =>
      takeBackup({ paths, to, withSecrets, maxBytesPerSecond, clock: systemClock, signal }),
    );
    for (const line of options.json ? [JSON.stringify(manifest, null, 2)] : formatBackup(manifest, to))
      terminal.print(line);
    return EXIT_OK;
  },
};

function formatBackup({ databases, files, taken_at, secrets }: BackupManifest, to: string): string[] {
  const documents = Object.values(databases).flatMap((counts) => Object.values(counts));
  const total = documents.reduce((sum, count) => sum + count, 0);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return [
    `Backed up ${total} documents of ${Object.keys(databases).length} databases to ${to} (${(bytes / MIB).toFixed(1)} MiB).`,
    `It has everything that was acknowledged before ${taken_at}.`,
    secrets.included
      ? 'It has the secrets of the installation. Encrypt it before you store it.'
      : `It has no secrets. It can be restored only with ${secrets.files.map(({ path }) => path).join(' and ')} of the data folder: keep a copy of them in another place.`,
  ];
}

function readArguments(args: string[], { env }: Terminal) {
  const values = parseOptions(args, {
    to: { type: 'string' },
    'data-dir': { type: 'string' },
    'with-secrets': { type: 'boolean', default: false },
    'max-rate': { type: 'string', default: String(DEFAULT_MIB_PER_SECOND) },
    json: { type: 'boolean', default: false },
  });
  if (values.to === undefined) throw new ArgumentError('Pass the folder to create with --to.');
  return {
    to: resolve(values.to),
    dataDir: installationFolder(values['data-dir'], env),
    withSecrets: values['with-secrets'],
    maxBytesPerSecond: readRate(values['max-rate']) * MIB,
    json: values.json,
  };
}

function readRate(text: string): number {
  const rate = Number(text);
  if (Number.isInteger(rate) && rate > 0) return rate;
  throw new UsageError('--max-rate must be a whole number of MiB per second.');
}
