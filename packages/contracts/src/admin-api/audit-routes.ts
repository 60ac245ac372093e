import * as audit from '../audit/rpc.ts';
import { route, routesOf } from './route.ts';

export const auditRoutes = routesOf(
  { ...audit, listPublicKeys: audit.publicKeys },
  {
    listRecords: route('GET /audit-records', 'viewer', { summary: 'List audit records, newest first' }),
    getRecord: route('GET /audit-records/:record_id', 'viewer', { summary: 'Read an audit record' }),
    proveInclusion: route('GET /audit-records/:record_id/proof', 'viewer', {
      summary: 'Prove that a record is in the log',
      errors: ['conflict'],
    }),
    listHeads: route('GET /audit-heads', 'viewer', { summary: 'List signed tree heads, newest first' }),
    proveConsistency: route('GET /audit-heads/proof', 'viewer', {
      summary: 'Prove that one tree head extends an earlier one',
      errors: ['not-found'],
    }),
    startVerification: route('POST /audit-verifications', 'viewer', {
      summary: 'Start a verification of the whole log',
      errors: ['conflict'],
      status: 201,
    }),
    latestVerification: route('GET /audit-verifications/latest', 'viewer', {
      summary: 'Read the latest verification',
    }),
    getVerification: route('GET /audit-verifications/:verification_id', 'viewer', {
      summary: 'Read a verification',
    }),
    listPublicKeys: route('GET /audit-keys', 'public', { summary: 'List the public keys of the audit log' }),
  },
);

/** Audit records as NDJSON with the signed tree heads that a verifier needs. The query is that of the RPC, without `cursor`. */
export const AUDIT_EXPORT_PATH = '/admin/v1/audit-records/export';
