import type { AuditFinding } from '@tollgate/contracts/audit-log';

export const FINDING_TITLES: Record<AuditFinding['code'], string> = {
  'record-changed': 'A record was changed',
  'record-missing': 'A record is missing',
  'record-out-of-place': 'A record is at another place than it was written at',
  'record-foreign': 'A record that Tollgate has not written',
  'record-time-invalid': 'A record has a time that cannot be',
  'log-truncated': 'The end of the log was cut off',
  'root-differs': 'Records differ from what was signed',
  'head-missing': 'A signed head is missing',
  'head-changed': 'A head is of another history than those around it',
  'head-out-of-place': 'A head is at another place than it was made at',
  'head-signature-invalid': 'The signature of a head is not valid',
  'head-time-invalid': 'A head has a time that cannot be',
  'witness-differs': 'A head differs from what a witness has seen',
  'export-changed': 'The first line of an export was changed',
  'export-malformed': 'An export is not whole',
};
