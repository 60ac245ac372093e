import type { Bus } from '@tollgate/bus/connection';
import type { Clock } from '@tollgate/runtime/clock';
import {
  commonVariables,
  drainDelay,
  type Environment,
  integer,
  mongodbUrl,
  streamVariables,
  type VariableTable,
} from '@tollgate/runtime/config';
import type { Logger } from '@tollgate/runtime/logger';
import type { CountUnverified } from '@tollgate/runtime/unverified-messages';
import type { VerifyActor } from '@tollgate/security/actor-token';
import { pemKeys } from '@tollgate/security/key-variables';
import type { AuditOutbox } from '@tollgate/store/audit-outbox';
import type { DatabaseSchema } from '@tollgate/store/schema/database-schema';
import type { Connection } from 'mongoose';
import type { Registry } from 'prom-client';

/** The variables that every service has. */
export const serviceVariables = {
  ...commonVariables,
  mongodbUrl,
  ...streamVariables,
  actorPublicKeys: pemKeys(
    'ACTOR_PUBLIC_KEYS',
    'Public keys of `ACTOR_SIGNING_KEY`, which signs the tokens of members.',
  ),
  drainDelayMs: drainDelay,
  indexAtStartMaxDocuments: integer('INDEX_AT_START_MAX_DOCUMENTS', {
    description:
      'A service creates a missing index itself if its collection has at most this many documents. Otherwise it waits for `tollgate migrate`.',
    default: 10_000,
    min: 0,
    max: 1_000_000_000,
  }),
};

/** What these variables become. */
export type ServiceConfig = {
  readonly [Name in keyof typeof serviceVariables]: ReturnType<(typeof serviceVariables)[Name]['parse']>;
};

/** A service that serves RPC over NATS and stores its data in MongoDB. */
export interface Service<Config extends ServiceConfig, App extends ServiceApp> {
  name: string;
  /** Name of its MongoDB database. */
  database: string;
  /** Collections whose documents carry audit entries until the audit service confirms them. */
  auditedCollections?: readonly string[];
  /** Set if the service does its work while NATS is down, so that this alone does not make it unready. */
  isReadyWithoutNats?: boolean;
  /** Every variable that it reads. */
  variables: VariableTable;
  /** What it needs of its database. `build` can rely on it. */
  schema: DatabaseSchema;
  /** Set if requests reach it through a balancer, so that it waits for `DRAIN_DELAY` before it stops. */
  isBehindBalancer?: boolean;
  /** Reads and validates the environment. Throws a ConfigError that names every wrong variable. */
  configure(env: Environment): Config;
  /** Wires the service on its open connections. Nothing runs before `app.start`. */
  build(context: ServiceContext<Config>): App | Promise<App>;
}

/** What `startService` opens and creates for the service. */
export interface ServiceContext<Config> {
  config: Config;
  bus: Bus;
  connection: Connection;
  audit: AuditOutbox;
  verifyActor: VerifyActor;
  countUnverified: CountUnverified;
  clock: Clock;
  /** Resolves to why the clock of this machine must not be trusted, or to null. Rejects if MongoDB is unreachable. */
  compareClock(): Promise<string | null>;
  logger: Logger;
  registry: Registry;
}

export interface ServiceApp {
  /** Serves requests and starts the periodic tasks. */
  start(): unknown;
  /** Why it should get no requests, besides missing connections. Empty if it is ready. */
  reasonsNotReady?(): string[];
  /** Accepts nothing new and finishes what is in flight. The connections are still open. */
  stop(): Promise<void>;
}
