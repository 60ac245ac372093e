import type { AuditRecord } from '@tollgate/contracts/audit/audit';
import type { PaymentEvent } from '@tollgate/contracts/payments/events';
import type { Payment } from '@tollgate/contracts/payments/payment';
import type { Environment } from '@tollgate/contracts/platform/environment';
import type { DeliveryStatus } from '@tollgate/contracts/webhooks/webhook';
import type { ReceivedWebhook } from '../platform/webhook-receiver.ts';
import type { Operation, Order } from './plan.ts';
import type { Charge } from './processor/acme-ledger.ts';

/** Everything that the oracle judges: the logs of the run, and the final state. Times are milliseconds since the epoch. */
export interface History {
  integrations: readonly HistoryIntegration[];
  orders: readonly Order[];
  operations: readonly PerformedOperation[];
  keys: readonly HistoryKey[];
  faults: readonly InjectedFault[];
  /** How long a gateway trusts keys that NATS has not confirmed. */
  principalsMaxStalenessMs: number;
  /** The largest error of the clock of a process. */
  maxClockErrorMs: number;
  /** Every request that the receiver of the endpoints got, by the path of the endpoint's URL. */
  webhooks: readonly Pick<ReceivedWebhook, 'path' | 'headers' | 'id' | 'rawBody' | 'receivedAtMs'>[];
  /** Times that money moved at the processor. */
  charges: readonly Charge[];
  /** Every event of every payment, as payments stores it. */
  events: readonly PaymentEvent[];
  deliveries: readonly StoredDelivery[];
  /** Logs by team. */
  auditLogs: readonly AuditLog[];
  /** Counted requests by key id. */
  usage: ReadonlyMap<string, number>;
  /** Leases, claims, and unpublished entries that are still stored. */
  leftovers: readonly string[];
}

/** An application in one environment. */
export interface HistoryIntegration {
  teamId: string;
  applicationId: string;
  environment: Environment;
  /** Null in live, where endpoints need a public address. */
  endpoint: { id: string; path: string; secret: string } | null;
}

/** An API key that the driver uses. */
export interface HistoryKey {
  name: string;
  id: string;
  integration: number;
  /** False when the response with the secret was lost: nobody can use the key. */
  hasSecret: boolean;
}

/** One request of an operation, and its response. */
export interface Attempt {
  sentAt: number;
  endedAt: number;
  /** The API key of a request of the public API; absent for the admin API. */
  keyId?: string;
  /** Null without a response. */
  status: number | null;
  /** Code of a problem, or of the failed connection; null for a success. */
  code: string | null;
  /** Whether a response says that the gateway counted the request; null without a response. */
  isCounted: boolean | null;
  /** What `X-Should-Retry` says; null without a response. */
  shouldRetry: boolean | null;
  /** The payment in a successful response. */
  payment?: Payment;
}

/**
 * `acknowledged`: a 2xx; `rejected`: a 4xx; `unknown`: no response, or one that does not say whether the operation took effect;
 * `skipped`: nothing was sent, because an earlier operation has not succeeded.
 */
export type Outcome = 'acknowledged' | 'rejected' | 'unknown' | 'skipped';

export interface PerformedOperation {
  index: number;
  operation: Operation;
  attempts: Attempt[];
  outcome: Outcome;
}

export interface InjectedFault {
  name: string;
  startedAt: number;
  endedAt: number;
}

export interface StoredDelivery {
  eventId: string;
  endpointId: string;
  teamId: string;
  status: DeliveryStatus;
  /** The numbers of its attempts, as recorded. */
  attempts: readonly number[];
  /** Why the last attempt failed; null after a success. */
  error: string | null;
}

export interface AuditLog {
  teamId: string;
  records: readonly AuditRecord[];
  /** What the verifier found. */
  findings: readonly string[];
}
