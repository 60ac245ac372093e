import { createReadStream } from 'node:fs';
import { splitLines } from '@tollgate/audit-log/split-lines';
import { verifyExport } from '@tollgate/audit-log/verify-export';
import {
  ArgumentError,
  type Command,
  EXIT_NO,
  EXIT_OK,
  EXIT_USAGE,
  type Terminal,
  UsageError,
} from '../command.ts';
import { parseArguments } from '../parse-options.ts';
import { findingLine, formatReport } from './format-report.ts';
import { readPublicKeys, withKeysJoined } from './public-keys.ts';

const USAGE = `Usage: tollgate verify-audit <export.ndjson|-> --public-key <file or PEM> [options]

Verifies that an export of the audit log is unchanged and complete. Requires only the export and the service's public
key, without network or database. Prints one line for each finding, with the number and id of the record.

  --public-key <file or PEM>   the key that signs the tree heads; can be repeated
  --trust-export-keys          also trust the keys in the export; proves only that the export is consistent
  --witness <file>             tree heads stored outside the database: a log of the audit service, or lines of JSON
  --every-seal                 check the seal of every record, even if a signed tree head proves it

Exit code: 0 intact, 1 tampered, 2 not verified.`;

export const verifyAudit: Command = {
  summary: 'verifies an export of the audit log with the public key alone',
  usage: USAGE,
  async run(args, terminal) {
    const { path, values } = readArguments(args);
    const publicKeys = await readPublicKeys(values['public-key'] ?? []);
    const trustExportKeys = values['trust-export-keys'] ?? false;
    const startedMs = performance.now();
    const result = await readable(() =>
      verifyExport(path === '-' ? splitLines(terminal.input) : linesOfFile(path), {
        publicKeys,
        trustExportKeys,
        everySeal: values['every-seal'] ?? false,
        ...(values.witness === undefined ? {} : { witness: linesOfFile(values.witness) }),
        onFinding: (finding) => terminal.print(findingLine(finding)),
      }),
    );
    const seconds = (performance.now() - startedMs) / 1_000;
    const name = path === '-' ? 'standard input' : path;
    printReport(
      formatReport(result, { name, seconds, keysGiven: publicKeys.length, trustExportKeys }),
      result.findingsCount > 0,
      terminal,
    );
    if (!result.isIntact) return EXIT_NO;
    if (result.witness?.heads !== 0) return EXIT_OK;
    terminal.printError('The witness has no tree heads of this team, so nothing was compared.');
    return EXIT_USAGE;
  },
};

function printReport(lines: string[], isAfterFindings: boolean, { print }: Terminal): void {
  if (isAfterFindings) print('');
  for (const line of lines) print(line);
}

function readArguments(args: string[]) {
  const { values, positionals } = parse(args);
  const [path, ...others] = positionals;
  if (path === undefined || others.length > 0) {
    throw new ArgumentError('Pass one export, or - for standard input.');
  }
  if (values['public-key'] === undefined && values['trust-export-keys'] !== true) {
    throw new UsageError(
      'Pass the public key of the service with --public-key. The keys in the export do not prove who created it. To use them anyway, pass --trust-export-keys.',
    );
  }
  return { path, values };
}

function parse(args: string[]) {
  return parseArguments(withKeysJoined(args), {
    'public-key': { type: 'string', multiple: true },
    'trust-export-keys': { type: 'boolean' },
    witness: { type: 'string' },
    'every-seal': { type: 'boolean' },
  });
}

function linesOfFile(path: string): AsyncIterable<string> {
  return splitLines(createReadStream(path));
}

/** A missing file is a user error, not a bug. */
async function readable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Error && 'syscall' in error)
      throw new UsageError(`Cannot read a file: ${error.message}`);
    throw error;
  }
}
