import type { AuditFinding } from '@tollgate/contracts/audit/audit-log';

export const FINDING_TITLES: Record<AuditFinding['code'], string> = {
  'record-changed': 'Record changed',
  'record-missing': 'Record missing',
  'record-out-of-place': 'Record out of order',
  'record-foreign': 'Record not written by Tollgate',
  'record-time-invalid': 'Invalid record time',
  'log-truncated': 'Log truncated',
  'root-differs': 'Records do not match the signed root hash',
  'head-missing': 'Signed tree head missing',
  'head-changed': 'Signed tree head from a different history',
  'head-out-of-place': 'Signed tree head out of order',
  'head-signature-invalid': 'Invalid tree head signature',
  'head-time-invalid': 'Invalid tree head time',
  'witness-differs': 'Signed tree head differs from the witness',
  'export-changed': 'First line of the export changed',
  'export-malformed': 'Incomplete export',
};
