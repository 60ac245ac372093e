import { resolve } from 'node:path';
import { installationFolder } from '../backup/installation-folder.ts';
import { ArgumentError, type Command, EXIT_OK, type Terminal } from '../command.ts';
import { parseOptions } from '../parse-options.ts';
import type { RestoredFolder } from './restore-data-folder.ts';

const USAGE = `Usage: tollgate restore --from <backup> [--data-dir <folder>]
       tollgate restore --restored

Restores an installation of npm start or of the all-in-one container from a backup of tollgate backup, while it is stopped. The data
from before is kept in another folder. The store of NATS is kept, too: it has the revocations since the backup.

With --restored, declares that MongoDB was restored with its own tools or with tollgate import, while all processes of Tollgate except
MongoDB and NATS are stopped. After either restore, audit adds a record to the log of each team, and all members must sign in again.

  --from <backup>      the folder of the backup
  --data-dir <folder>  the data folder of the installation; by default TOLLGATE_DATA_DIR, or .tollgate
  --restored           declares a restore in the server in MONGODB_URL, or in the file in MONGODB_URL_FILE. The user may read and
                       write tollgate_audit, tollgate_accounts, and tollgate_payments

Exit code: 0 done, 2 failed.`;

export const restore: Command = {
  summary: 'restores an installation from a backup, or declares a restore of MongoDB',
  usage: USAGE,
  async run(args, terminal) {
    const options = readArguments(args, terminal);
    if ('from' in options) await restoreInstallation(options, terminal);
    else await declareRestored(terminal);
    return EXIT_OK;
  },
};

async function restoreInstallation({ from, dataDir }: FolderOptions, { print }: Terminal): Promise<void> {
  // Loaded here, so that other commands start without the embedded server.
  const [{ restoreDataFolder }, { dataPaths }, { systemClock }] = await Promise.all([
    import('./restore-data-folder.ts'),
    import('@tollgate/launcher/data-dir'),
    import('@tollgate/runtime/clock'),
  ]);
  const restored = await restoreDataFolder({ from, paths: dataPaths(dataDir), clock: systemClock });
  for (const line of describeRestored(restored, dataDir)) print(line);
}

async function declareRestored(terminal: Terminal): Promise<void> {
  const [{ openServer }, { requireNoServices }, { requireAuditData, declareRestore }, { systemClock }] =
    await Promise.all([
      import('../transfer/open-server.ts'),
      import('../transfer/connected-services.ts'),
      import('./declare-restore.ts'),
      import('@tollgate/runtime/clock'),
    ]);
  const server = await openServer(undefined, terminal);
  const { client } = server;
  try {
    await requireNoServices(client, terminal);
    await requireAuditData(client);
    const { at, sessions } = await declareRestore(client, systemClock);
    terminal.print(`Declared a restore at ${at.toISOString()}. Ended ${sessions} sessions of members.`);
    for (const line of NEXT_STEPS) terminal.print(line);
  } finally {
    await server.close();
  }
}

function describeRestored(
  { takenAt, setAside, sessions, windows, secrets }: RestoredFolder,
  dataDir: string,
): string[] {
  return [
    `Restored ${dataDir} to the backup of ${takenAt}. Ended ${sessions} sessions of members.`,
    ...(setAside === null
      ? []
      : [
          `The data from before is in ${setAside}. Delete it when you have checked the restored data: erasures do not apply to it.`,
        ]),
    ...(windows === 0
      ? []
      : [`Added ${windows} windows of usage that were not in the database of the backup.`]),
    ...secrets,
    ...NEXT_STEPS,
  ];
}

const NEXT_STEPS = [
  'Start Tollgate. Audit then records the restore in the log of each team.',
  'Repeat the changes since the backup that docs/operating/disaster-recovery.md lists.',
];

interface FolderOptions {
  from: string;
  dataDir: string;
}

function readArguments(args: string[], { env }: Terminal): FolderOptions | { restored: true } {
  const values = parseOptions(args, {
    from: { type: 'string' },
    'data-dir': { type: 'string' },
    restored: { type: 'boolean', default: false },
  });
  if (values.restored === (values.from !== undefined)) {
    throw new ArgumentError('Pass either --from with the folder of the backup, or --restored.');
  }
  if (values.from === undefined) return { restored: true };
  return {
    from: resolve(values.from),
    dataDir: installationFolder(values['data-dir'], env),
  };
}
