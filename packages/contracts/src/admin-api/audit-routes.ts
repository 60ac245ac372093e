import * as audit from '../audit/rpc.ts';
import { route } from './route.ts';

export const auditRoutes = {
  listRecords: route('GET', '/audit-records', audit.listRecords, {
    summary: 'List audit records, newest first',
    access: 'viewer',
  }),
  getRecord: route('GET', '/audit-records/:record_id', audit.getRecord, {
    summary: 'Read an audit record',
    access: 'viewer',
  }),
  proveInclusion: route('GET', '/audit-records/:record_id/proof', audit.proveInclusion, {
    summary: 'Prove that a record is in the log',
    access: 'viewer',
    errors: ['conflict'],
  }),
  listHeads: route('GET', '/audit-heads', audit.listHeads, {
    summary: 'List signed tree heads, newest first',
    access: 'viewer',
  }),
  proveConsistency: route('GET', '/audit-heads/proof', audit.proveConsistency, {
    summary: 'Prove that one tree head extends an earlier one',
    access: 'viewer',
    errors: ['not-found'],
  }),
  startVerification: route('POST', '/audit-verifications', audit.startVerification, {
    summary: 'Start a verification of the whole log',
    access: 'viewer',
    errors: ['conflict'],
    status: 201,
  }),
  latestVerification: route('GET', '/audit-verifications/latest', audit.latestVerification, {
    summary: 'Read the latest verification',
    access: 'viewer',
  }),
  getVerification: route('GET', '/audit-verifications/:verification_id', audit.getVerification, {
    summary: 'Read a verification',
    access: 'viewer',
  }),
  listPublicKeys: route('GET', '/audit-keys', audit.publicKeys, {
    summary: 'List the public keys of the audit log',
    access: 'public',
  }),
};

/**
 * Audit records as NDJSON with the signed tree heads that a verifier needs. The query is that of the RPC, without
 * `cursor`.
 */
export const AUDIT_EXPORT_PATH = '/admin/v1/audit-records/export';
