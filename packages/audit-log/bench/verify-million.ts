/**
 * Writes an export, verifies it in a separate process, and prints the duration and the memory used.
 * Usage: node bench/verify-million.ts [records]
 */
import { spawnSync } from 'node:child_process';
import {
  createReadStream,
  createWriteStream,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { newId } from '@tollgate/contracts/platform/ids';
import { signExportHeader, writeExportLine } from '../src/export-line.ts';
import { parsePublicKey, publicKeyOf } from '../src/keys.ts';
import { splitLines } from '../src/split-lines.ts';
import { verifyExport } from '../src/verify-export.ts';
import { logLines, newSigningKey, timeOf } from '../test/build-export.ts';

const DEFAULT_RECORDS = 1_000_000;
const RECORDS_PER_HEAD = 1_000;
const KIB_PER_MIB = 1_024;
const BYTES_PER_MIB = 1_048_576;

const [first, file, keyFile] = process.argv.slice(2);
if (first === 'verify' && file && keyFile) await verifyFile(file, keyFile);
else await writeAndVerify(Number(first ?? DEFAULT_RECORDS));

async function writeAndVerify(records: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'verify-million-'));
  const exportFile = join(folder, 'export.ndjson');
  const publicKeyFile = join(folder, 'public.pem');
  try {
    await pipeline(Readable.from(exportText(records, publicKeyFile)), createWriteStream(exportFile));
    process.stdout.write(
      `${records} records, ${Math.round(statSync(exportFile).size / BYTES_PER_MIB)} MiB written\n`,
    );
    const script = fileURLToPath(import.meta.url);
    const { status } = spawnSync(process.execPath, [script, 'verify', exportFile, publicKeyFile], {
      stdio: 'inherit',
    });
    process.exitCode = status ?? 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function* exportText(records: number, publicKeyFile: string): Generator<string> {
  const key = newSigningKey();
  const teamId = newId('team');
  const { public_key } = publicKeyOf(key);
  writeFileSync(publicKeyFile, public_key);
  const heads = Math.ceil(records / RECORDS_PER_HEAD);
  const header = signExportHeader(
    {
      type: 'export',
      format: 1,
      team_id: teamId,
      from: timeOf(0),
      to: timeOf(records),
      exported_at: timeOf(records),
      size_before: 0,
      subtrees_before: [],
      head_before: null,
      last_head_number: heads,
      last_head_size: records,
      public_keys: [],
    },
    key,
  );
  yield writeExportLine(header);
  const sizes = Array.from({ length: heads }, (_, index) =>
    Math.min((index + 1) * RECORDS_PER_HEAD, records),
  );
  for (const line of logLines(sizes, key, teamId)) yield writeExportLine(line);
  yield writeExportLine({ type: 'end', records, heads });
}

async function verifyFile(exportFile: string, publicKeyFile: string): Promise<void> {
  const startedMs = performance.now();
  const result = await verifyExport(splitLines(createReadStream(exportFile)), {
    publicKeys: [parsePublicKey(readFileSync(publicKeyFile, 'utf8'), null)],
  });
  const seconds = (performance.now() - startedMs) / 1_000;
  console.table({
    intact: result.isIntact,
    records: result.records,
    heads: result.heads,
    seconds: seconds.toFixed(1),
    'records/s': Math.round(result.records / seconds),
    'peak memory, MiB': Math.round(process.resourceUsage().maxRSS / KIB_PER_MIB),
  });
  if (!result.isIntact) process.exitCode = 1;
}
