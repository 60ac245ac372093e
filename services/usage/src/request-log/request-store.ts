import { firstIdAt, idTimeMs } from '@tollgate/contracts/platform/id-time';
import type { LoggedRequest } from '@tollgate/contracts/usage/logged-request';
import type { listRequests } from '@tollgate/contracts/usage/rpc';
import { OPERATION_REQUESTS, type UsageWindow } from '@tollgate/contracts/usage/usage';
import { insertMissing } from '@tollgate/store/insert-missing';
import { type Page, type PageRequest, readPage } from '@tollgate/store/keyset-page';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import { QUERY_TIME_MS } from '@tollgate/store/team-queries';
import type { Connection } from 'mongoose';
import type { Static } from 'typebox';
import { readLog, type WindowRequest } from './read-log.ts';
import { termsOf, termsOfSearch } from './request-terms.ts';

interface StoredRequest extends Omit<LoggedRequest, 'id' | 'duration_ms' | 'created_at' | 'method' | 'path'> {
  /** The request id, which contains the time of arrival. */
  _id: string;
  team_id: string;
  duration_us: number;
  /** See request-terms. */
  terms: string[];
  expires_at: Date;
}

/** Documents per write: a window has up to two thousand requests. */
const INSERTED_AT_ONCE = 1_000;

export type RequestStore = ReturnType<typeof createRequestStore>;

export const REQUEST_INDEXES: readonly IndexDeclaration[] = [
  {
    key: { team_id: 1, environment: 1, _id: -1 },
    name: 'newest',
    purpose: "A team's request log, newest first",
  },
  {
    key: { team_id: 1, environment: 1, terms: 1, _id: -1 },
    name: 'search',
    purpose: 'The search in the request log',
  },
  {
    key: { expires_at: 1 },
    name: 'expiry',
    expireAfterSeconds: 0,
    purpose: 'Deletes requests after `REQUEST_LOG_KEPT`',
  },
];

/** @param keptMs how long after its arrival a request is kept */
export function createRequestStore(connection: Connection, keptMs: number) {
  const collection = connection.collection<StoredRequest>('requests');

  function storedRequest({ caller, ...request }: WindowRequest): StoredRequest {
    const { id: _id, operation, outcome, status, code, durationUs, errors } = request;
    const { team_id, application_id, key_id, environment } = caller;
    const { address: client_address, paymentId: payment_id, idempotencyKey } = request;
    const searched = {
      ...{ application_id, key_id, operation, status, code, client_address, payment_id },
      idempotency_key_digest: idempotencyKey,
    };
    const expires_at = new Date(idTimeMs(_id) + keptMs);
    const measured = { outcome, duration_us: durationUs, errors };
    return { _id, team_id, environment, ...searched, ...measured, terms: termsOf(searched), expires_at };
  }

  return {
    /** Stores the requests of these windows that are not stored yet. */
    async insertMissing(windows: readonly UsageWindow[]): Promise<void> {
      const requests = windows.flatMap(readLog);
      for (let start = 0; start < requests.length; start += INSERTED_AT_ONCE)
        await insertMissing(collection, requests.slice(start, start + INSERTED_AT_ONCE), storedRequest);
    },

    list(
      team_id: string,
      request: Static<typeof listRequests.request>,
      page: PageRequest,
    ): Promise<Page<StoredRequest>> {
      const { environment, created_from, created_to } = request;
      const [term, ...others] = termsOfSearch(request);
      const conditions = [
        ...(created_from ? [{ _id: { $gte: firstIdAt('request', Date.parse(created_from)) } }] : []),
        ...(created_to ? [{ _id: { $lt: firstIdAt('request', Date.parse(created_to)) } }] : []),
        ...others.map((other) => ({ terms: other })),
      ];
      return readPage(page, ({ filter, sort, limit }) =>
        collection
          .find({
            team_id,
            environment,
            ...(term !== undefined && { terms: term }),
            $and: [filter, ...conditions],
          })
          .sort(sort)
          .limit(limit)
          .maxTimeMS(QUERY_TIME_MS)
          .toArray(),
      );
    },

    find: (team_id: string, _id: string): Promise<StoredRequest | null> =>
      collection.findOne({ _id, team_id }),
  };
}

export function requestToWire({ _id, duration_us, ...request }: StoredRequest): LoggedRequest {
  const { method, path } = OPERATION_REQUESTS[request.operation];
  return {
    id: _id,
    ...request,
    method,
    path: path.replace(':payment_id', request.payment_id ?? '{payment_id}'),
    duration_ms: duration_us / 1_000,
    created_at: new Date(idTimeMs(_id)).toISOString(),
  };
}
