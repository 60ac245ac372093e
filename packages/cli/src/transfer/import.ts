import { resolve } from 'node:path';
import { ArgumentError, type Command, EXIT_NO, EXIT_OK, type Terminal } from '../command.ts';
import { explainFailure } from '../explain-failure.ts';
import { parseOptions } from '../parse-options.ts';
import { findingLine } from '../verify-audit/format-report.ts';
import { readPublicKeys, withKeysJoined } from '../verify-audit/public-keys.ts';
import { formatTotals } from './format-totals.ts';

const USAGE = `Usage: tollgate import --from <folder> [options]

Writes an export to a server that has no data of Tollgate, reads everything back, compares counts and digests, and creates the indexes.
An interrupted import continues when it is repeated.

  --from <folder>              the export
  --data-dir <folder>          the data folder of a stopped npm start or all-in-one container, in place of MONGODB_URL
  --public-key <file or PEM>   also verifies the audit logs with the key that signs their tree heads; can be repeated
  --json                       prints the result as JSON

MONGODB_URL, or the file in MONGODB_URL_FILE, is the address of the server, with a user that may read and write all six databases.

Exit code: 0 done, 1 an audit log was tampered with, 2 failed.`;

export const importCommand: Command = {
  summary: 'writes an export to another server and verifies it',
  usage: USAGE,
  async run(args, terminal) {
    const { from, dataDir, publicKeyTexts, json } = readArguments(args);
    const publicKeys = await readPublicKeys(publicKeyTexts);
    const signal = terminal.untilInterrupted();
    // Loaded here, so that other commands start without the driver of MongoDB.
    const [
      { openServer },
      { requireNoServices },
      { importDatabases, importExpiry },
      { readManifest },
      { verifyAuditLogs },
      { createDataDir },
    ] = await Promise.all([
      import('./open-server.ts'),
      import('./connected-services.ts'),
      import('./import-databases.ts'),
      import('./transfer-manifest.ts'),
      import('./verify-audit-logs.ts'),
      import('@tollgate/launcher/data-dir'),
    ]);
    const manifest = await readManifest(from);
    const server = await openServer(dataDir, terminal, (paths) =>
      explainFailure('Nothing was imported.', () => createDataDir(paths)),
    );
    const { client } = server;
    try {
      const options = {
        client,
        from,
        manifest,
        signal,
        onStep: (step: string, namespace: string) => terminal.printError(`${step} ${namespace}`),
      };
      const logs = await explainFailure('Repeat the command to continue the import.', async () => {
        await requireNoServices(client, terminal);
        await importDatabases(options);
        const verified = publicKeys.length === 0 ? null : await verifyAuditLogs(client, publicKeys);
        signal.throwIfAborted();
        await importExpiry(options);
        return verified;
      });
      report({ totals: formatTotals(manifest), logs }, json, terminal);
      return logs?.findings.length ? EXIT_NO : EXIT_OK;
    } finally {
      await server.close();
    }
  },
};

interface Result {
  totals: string;
  logs: Awaited<ReturnType<typeof import('./verify-audit-logs.ts').verifyAuditLogs>> | null;
}

function report({ totals, logs }: Result, json: boolean, { print }: Terminal): void {
  if (json) {
    print(JSON.stringify({ imported: totals, audit: logs }, null, 2));
    return;
  }
  for (const finding of logs?.findings ?? []) print(findingLine(finding));
  print(`Imported ${totals}. Counts, digests, and indexes equal those of the export.`);
  if (logs === null) print('The audit logs were not verified: pass --public-key.');
  else {
    const verdict = logs.findings.length === 0 ? 'intact' : 'TAMPERED';
    print(
      `Audit logs of ${logs.teams} teams with ${logs.records} records and ${logs.heads} tree heads: ${verdict}.`,
    );
  }
}

function readArguments(args: string[]) {
  const values = parseOptions(withKeysJoined(args), {
    from: { type: 'string' },
    'data-dir': { type: 'string' },
    'public-key': { type: 'string', multiple: true, default: [] },
    json: { type: 'boolean', default: false },
  });
  if (values.from === undefined) throw new ArgumentError('Pass the folder of the export with --from.');
  return {
    from: resolve(values.from),
    dataDir: values['data-dir'],
    publicKeyTexts: values['public-key'],
    json: values.json,
  };
}
