import * as accounts from '@tollgate/contracts/accounts/rpc';
import { type AdminRoute, rpcsOf } from '@tollgate/contracts/admin-api/route';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { PRINCIPALS_BUCKET } from '@tollgate/contracts/applications/principal';
import * as applications from '@tollgate/contracts/applications/rpc';
import { AUDIT_HEADS_BUCKET } from '@tollgate/contracts/audit/audit-log';
import { confirmEntries, exportRecords, recordExport } from '@tollgate/contracts/audit/rpc';
import {
  actOnSandboxPage,
  eventsSince,
  getSandboxPage,
  hasPayments,
  lastSandboxResets,
} from '@tollgate/contracts/payments/rpc';
import type { RpcContract } from '@tollgate/contracts/platform/rpc-contract';
import {
  ERASURES_BUCKET,
  PAYMENTS_ANNOUNCEMENT_SUBJECT,
  STREAMS,
  type StreamName,
  WEBHOOKS_DUE_SUBJECT,
} from '@tollgate/contracts/platform/streams';
import { confirmWindows } from '@tollgate/contracts/usage/rpc';
import { LIVE_SUBJECTS } from '@tollgate/contracts/webhooks/live-changes';
import { deleteSandboxData, hasEndpoints } from '@tollgate/contracts/webhooks/rpc';

/** What a process does on NATS. Everything else is denied. */
export interface ProcessAccess {
  /** Serves the RPCs of the service with this name. */
  serves?: string;
  calls?: readonly RpcContract[];
  /** Streams on which it publishes. */
  publishes?: readonly StreamName[];
  /** Durable consumers that it creates and reads. It may publish their dead letters. */
  consumes?: readonly { stream: StreamName; durable: string }[];
  /**
   * Streams whose configuration it may change. No service: it could have a stream store, and so read, any message.
   */
  manages?: readonly StreamName[];
  /** Buckets whose configuration it may change, such as the number of replicas. No service, as above. */
  managesBuckets?: readonly string[];
  /** Core subjects, which are not stored. */
  announces?: readonly string[];
  subscribes?: readonly string[];
  /** Buckets that it creates, fills, and lists. */
  owns?: readonly string[];
  /** Buckets that it mirrors. */
  mirrors?: readonly string[];
  /** Buckets of which it reads single entries. */
  reads?: readonly string[];
  /** Streams of which it reads and deletes single messages. */
  erases?: readonly StreamName[];
  /** Lists, replays, and discards dead letters. */
  handlesDeadLetters?: boolean;
}

/**
 * The only place that grants anything on NATS. Every configuration is generated from it: `npm start`, compose, and the
 * tests, which prove each denial.
 */
const TABLE = {
  accounts: {
    serves: 'accounts',
    calls: [confirmEntries],
    publishes: ['AUDIT'],
    consumes: [{ stream: 'AUDIT', durable: 'accounts' }],
  },
  applications: {
    serves: 'applications',
    calls: [confirmEntries, hasPayments, hasEndpoints],
    publishes: ['AUDIT'],
    owns: [PRINCIPALS_BUCKET],
  },
  payments: {
    serves: 'payments',
    calls: [confirmEntries, deleteSandboxData],
    publishes: ['EVENTS', 'AUDIT'],
    // The events of erased payments, also those that a consumer could not handle.
    erases: ['EVENTS', 'DEAD_LETTERS'],
    owns: [ERASURES_BUCKET],
    announces: [PAYMENTS_ANNOUNCEMENT_SUBJECT],
  },
  webhooks: {
    serves: 'webhooks',
    calls: [confirmEntries, eventsSince],
    publishes: ['AUDIT'],
    consumes: [{ stream: 'EVENTS', durable: 'webhooks' }],
    announces: [...Object.values(LIVE_SUBJECTS), WEBHOOKS_DUE_SUBJECT],
    subscribes: [WEBHOOKS_DUE_SUBJECT],
    reads: [PRINCIPALS_BUCKET],
  },
  usage: {
    serves: 'usage',
    // The reconciliation command runs as this user.
    calls: [eventsSince, lastSandboxResets],
    consumes: [{ stream: 'USAGE', durable: 'usage' }],
  },
  audit: {
    serves: 'audit',
    calls: [eventsSince, accounts.notifyOfTampering],
    consumes: [
      { stream: 'AUDIT', durable: 'audit' },
      { stream: 'EVENTS', durable: 'audit' },
    ],
    owns: [AUDIT_HEADS_BUCKET],
  },
  gateway: {
    calls: [
      ...Object.values<AdminRoute>(ADMIN_ROUTES).flatMap(rpcsOf),
      accounts.issueActorToken,
      accounts.issueTokenActor,
      accounts.reportLeakedToken,
      applications.reportLeakedKey,
      confirmWindows,
      exportRecords,
      recordExport,
      getSandboxPage,
      actOnSandboxPage,
    ],
    publishes: ['USAGE'],
    subscribes: [PAYMENTS_ANNOUNCEMENT_SUBJECT, ...STREAMS.EVENTS.subjects, ...Object.values(LIVE_SUBJECTS)],
    mirrors: [PRINCIPALS_BUCKET],
  },
  /** `tollgate dead-letters`, `tollgate reset-owner`, and changes of streams and buckets. */
  operator: {
    calls: [accounts.resetOwner],
    publishes: ['EVENTS', 'AUDIT', 'USAGE'],
    manages: ['EVENTS', 'AUDIT', 'USAGE', 'DEAD_LETTERS'],
    managesBuckets: [PRINCIPALS_BUCKET, AUDIT_HEADS_BUCKET, ERASURES_BUCKET],
    handlesDeadLetters: true,
  },
  /** The first run of `npm start`: it sets up the first team and its application. */
  launcher: {
    calls: [
      accounts.getInstallation,
      accounts.setUp,
      accounts.signIn,
      accounts.issueActorToken,
      accounts.revokeSession,
      applications.createApplication,
      applications.listApplications,
      applications.createKey,
      applications.listKeys,
      applications.revokeKey,
    ],
  },
} as const satisfies Record<string, ProcessAccess>;

export type ProcessName = keyof typeof TABLE;
export const PROCESSES: Record<ProcessName, ProcessAccess> = TABLE;
export const PROCESS_NAMES = Object.keys(TABLE) as ProcessName[];
