import type { AuditFinding, AuditHead, ExportEnd, ExportHeader } from '@tollgate/contracts/audit/audit-log';
import { openTree } from './compact-tree.ts';
import { parsePublicKey, type VerifyingKey } from './keys.ts';
import { checkHeader, type Start } from './verify/check-header.ts';
import { checkWitness, type ExplainedRestore } from './verify/check-witness.ts';
import { collectFindings, type Findings } from './verify/findings.ts';
import { createHeadChain } from './verify/head-chain.ts';
import { readHeader, readLine } from './verify/read-line.ts';
import { createRecordLog } from './verify/record-log.ts';
import { readWitness } from './verify/witness.ts';

export interface VerifyExportOptions {
  /** The service's keys, from a source that an attacker who can change the export cannot change. */
  publicKeys: readonly VerifyingKey[];
  /**
   * Also trusts the keys in the export itself. A forger would include their own keys, so this only proves that the
   * export is consistent.
   */
  trustExportKeys?: boolean;
  /** Lines with heads that were seen outside the database. See `readWitness`. */
  witness?: AsyncIterable<string>;
  /**
   * Checks every record's seal. By default, seals are checked only if a root differs: a record that its head proves is
   * proved, whatever its seal is.
   */
  everySeal?: boolean;
  /** Receives each finding as it is found. The result keeps the first 100. */
  onFinding?: (finding: AuditFinding) => void;
}

export interface ExportVerification {
  isIntact: boolean;
  /** Null if the first line is not an export header. Nothing else is checked then. */
  header: ExportHeader | null;
  /** Number of lines for a record or a head, intact or not. */
  records: number;
  heads: number;
  /** The last head that is reliable. */
  lastHead: AuditHead | null;
  /** Number of the witness's heads for this team, and how many of them the export contains; null without a witness. */
  witness: { heads: number; compared: number } | null;
  /** The restores from a backup that records of the export state. */
  restores: ExplainedRestore[];
  findings: AuditFinding[];
  findingsCount: number;
}

/**
 * Verifies an export line by line (without line feeds) in constant memory: that no record is changed, moved, missing,
 * or added; that each head is signed and follows from the previous one; and that the export matches the witness. Throws
 * only if there is no key, and the errors of reading the lines.
 */
export async function verifyExport(
  lines: AsyncIterable<string>,
  options: VerifyExportOptions,
): Promise<ExportVerification> {
  const findings = collectFindings(options.onFinding);
  const iterator = lines[Symbol.asyncIterator]();
  const first = await iterator.next();
  const header = first.done ? null : readHeader(first.value);
  if (header === null) {
    findings.add('export-malformed', 'The first line is not an export header.');
    await iterator.return?.();
    return { ...nothingChecked, findings: findings.kept, findingsCount: findings.count };
  }
  const rest = { [Symbol.asyncIterator]: () => iterator };
  const keys = keysFor(header, options);
  return verifyLines(header, checkHeader(header, keys, findings), rest, { ...options, keys }, findings);
}

/** What a database says about a team's log. */
export interface StoredLog {
  teamId: string;
  lastHeadNumber: number;
  lastHeadSize: number;
  /** The time of the verification. */
  at: Date;
}

/**
 * Verifies a whole log as it is stored, from its lines after the first. Requires only public keys: no first line is signed, so the
 * number of the last tree head is what the database says, and tree heads that were deleted with all their traces are not missed.
 */
export async function verifyStoredLog(
  log: StoredLog,
  lines: AsyncIterable<string>,
  options: Omit<VerifyExportOptions, 'trustExportKeys'>,
): Promise<ExportVerification> {
  const at = log.at.toISOString();
  const header: ExportHeader = {
    type: 'export',
    format: 1,
    team_id: log.teamId,
    from: new Date(0).toISOString(),
    to: at,
    exported_at: at,
    size_before: 0,
    subtrees_before: [],
    head_before: null,
    last_head_number: log.lastHeadNumber,
    last_head_size: log.lastHeadSize,
    public_keys: [],
    key_version: 0,
    signature: '',
  };
  const start = { tree: openTree(), isSigned: true };
  const keys = keysFor(header, options);
  return verifyLines(header, start, lines, { ...options, keys }, collectFindings(options.onFinding));
}

/** @throws if there is none */
function keysFor(
  header: ExportHeader,
  { publicKeys, trustExportKeys = false }: VerifyExportOptions,
): readonly VerifyingKey[] {
  const keys = trustExportKeys ? [...publicKeys, ...keysOf(header)] : publicKeys;
  if (keys.length === 0) throw new Error('A verification requires at least one public key');
  return keys;
}

const NOT_THESE_KEYS =
  'Neither the first line nor the first tree head is signed with any of the given keys. Nothing else was checked. Check that the keys belong to this service.';

const nothingChecked = {
  isIntact: false,
  header: null,
  records: 0,
  heads: 0,
  lastHead: null,
  witness: null,
  restores: [],
};

async function verifyLines(
  header: ExportHeader,
  { tree, isSigned }: Start,
  lines: AsyncIterable<string>,
  {
    keys,
    witness,
    everySeal = false,
  }: Pick<VerifyExportOptions, 'witness' | 'everySeal'> & { keys: readonly VerifyingKey[] },
  findings: Findings,
): Promise<ExportVerification> {
  const chain = createHeadChain(header, isSigned, keys, findings);
  const log = createRecordLog({ header, tree, keys, findings, everySeal });
  const witnessed = witness && (await readWitness(witness, header.team_id));
  const witnessCheck = witnessed && checkWitness(witnessed, header, findings);
  if (header.head_before !== null) witnessCheck?.compare(header.head_before);

  let records = 0;
  let heads = 0;
  let lineNumber = 1;
  let end: ExportEnd | null = null;
  let restores: ExplainedRestore[] = [];
  for await (const line of lines) {
    lineNumber += 1;
    if (end !== null) findings.add('export-malformed', `Line ${lineNumber} follows the end of the export.`);
    const read = readLine(line);
    if (read.type === 'record') {
      records += 1;
      log.add(read.record);
    } else if (read.type === 'head') {
      heads += 1;
      if (!chain.follow(read.head)) {
        if (isSigned || heads > 1) continue;
        // Continuing would report every single record.
        findings.add('export-changed', NOT_THESE_KEYS);
        return result();
      }
      witnessCheck?.compare(read.head);
      log.close(read.head);
    } else if (read.type === 'end') {
      end = read.end;
    } else {
      findings.add('export-malformed', `Line ${lineNumber} is invalid: ${read.problem}.`);
    }
  }
  log.finish(isSigned ? header.last_head_size : null);
  checkEnd(end, records, heads, findings);
  if (isSigned && chain.lastNumber + chain.unreliable < header.last_head_number) {
    findings.add(
      'log-truncated',
      `The export ends with tree head ${chain.lastNumber}, but it was created with tree heads up to ${header.last_head_number}.`,
      { head_number: chain.lastNumber + 1 },
    );
  }
  restores =
    witnessCheck?.finish(chain.lastNumber, log.restores) ??
    log.restores.map((restore) => ({ ...restore, abandonedHeads: 0 }));
  return result();

  function result(): ExportVerification {
    return {
      isIntact: findings.count === 0,
      header,
      records,
      heads,
      lastHead: chain.last,
      witness: witnessCheck ? { heads: witnessed?.size ?? 0, compared: witnessCheck.compared } : null,
      restores,
      findings: findings.kept,
      findingsCount: findings.count,
    };
  }
}

function keysOf(header: ExportHeader): VerifyingKey[] {
  return header.public_keys.flatMap(({ version, public_key }) => {
    try {
      return [parsePublicKey(public_key, version)];
    } catch {
      return [];
    }
  });
}

function checkEnd(end: ExportEnd | null, records: number, heads: number, findings: Findings): void {
  if (end === null) findings.add('export-malformed', 'The export has no last line. It was truncated.');
  else if (end.records !== records || end.heads !== heads) {
    findings.add(
      'export-malformed',
      `The last line counts ${end.records} records and ${end.heads} tree heads, but the export has ${records} and ${heads}.`,
    );
  }
}
