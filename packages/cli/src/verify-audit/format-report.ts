import type { ExportVerification } from '@tollgate/audit-log/verify-export';
import type { AuditFinding } from '@tollgate/contracts/audit/audit-log';
import { visible } from '../visible.ts';

/** Formats a finding as one line: code, location, detail. */
export function findingLine({ code, seq, record_id, head_number, detail }: AuditFinding): string {
  const place = [
    seq === null ? null : `record ${seq}`,
    record_id,
    head_number === null ? null : `head ${head_number}`,
  ];
  const where = place.filter((part) => part !== null).join(', ');
  return visible(`${code}: ${where === '' ? '' : `${where}: `}${detail}`);
}

export interface ReportContext {
  /** Name of the export as given by the user. */
  name: string;
  seconds: number;
  keysGiven: number;
  trustExportKeys: boolean;
}

/** Reports what was checked and the result. */
export function formatReport(result: ExportVerification, context: ReportContext): string[] {
  const { header, findingsCount } = result;
  const verdict = result.isIntact
    ? 'INTACT: no record is changed, moved, or missing.'
    : `TAMPERED: ${findingsCount} ${findingsCount === 1 ? 'finding' : 'findings'}.`;
  return header === null ? [verdict] : [...checked(result, header, context), '', verdict];
}

function checked(
  { records, heads, lastHead, witness, restores }: ExportVerification,
  header: NonNullable<ExportVerification['header']>,
  { name, seconds, keysGiven, trustExportKeys }: ReportContext,
): string[] {
  const rows: [string, string][] = [
    ['export', `${name}, created ${header.exported_at}`],
    ['team', header.team_id],
    ['period', `${header.from} to ${header.to}`],
    ['records', `${records}, starting at record ${header.size_before + 1}`],
    [
      'heads',
      lastHead === null ? `${heads}` : `${heads}, up to tree head ${lastHead.number} of ${lastHead.at}`,
    ],
    ['keys', keysText(keysGiven, trustExportKeys)],
  ];
  if (witness !== null)
    rows.push(['witness', `${witness.heads} tree heads seen, ${witness.compared} of them in the export`]);
  for (const restore of restores) rows.push(['restore', restoreText(restore)]);
  rows.push(['time', `${seconds.toFixed(1)} s`]);
  return rows.map(([label, value]) => visible(`${label.padEnd(9)}${value}`));
}

function restoreText({ seq, at, size, abandonedHeads }: ExportVerification['restores'][number]): string {
  const text = `record ${seq}: the log was restored from a backup to record ${size}, declared at ${at}`;
  if (abandonedHeads === 0) return text;
  const which = abandonedHeads === 1 ? 'tree head of the witness was' : 'tree heads of the witness were';
  return `${text}. ${abandonedHeads} ${which} signed before the restore, and later records were lost`;
}

function keysText(given: number, trustExportKeys: boolean): string {
  if (!trustExportKeys) return `${given} given`;
  return `${given} given, and the keys in the export. A forged export contains keys of its forger, so this proves only that the export is consistent`;
}
