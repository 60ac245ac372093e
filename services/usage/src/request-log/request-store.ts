import type { Environment } from '@tollgate/contracts/platform/environment';
import { firstIdAt, idTimeMs } from '@tollgate/contracts/platform/id-time';
import type { LoggedRequest } from '@tollgate/contracts/usage/logged-request';
import type { UsageWindow } from '@tollgate/contracts/usage/usage';
import { insertMissing } from '@tollgate/store/insert-missing';
import { type Page, type PageRequest, readPage } from '@tollgate/store/keyset-page';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import { QUERY_TIME_MS } from '@tollgate/store/team-queries';
import type { Connection } from 'mongoose';
import { readLog, type WindowRequest } from './read-log.ts';
import { type RequestSearch, termsOf, termsOfSearch } from './request-terms.ts';

interface RequestDocument extends Omit<LoggedRequest, 'id' | 'duration_ms' | 'created_at'> {
  /** The request id, which contains the time of arrival. */
  _id: string;
  team_id: string;
  duration_us: number;
  /** See request-terms. */
  terms: string[];
  expires_at: Date;
}

export interface RequestQuery extends PageRequest {
  teamId: string;
  environment: Environment;
  search: RequestSearch;
  /** Null: no bound. Included. */
  from: Date | null;
  /** Null: no bound. Excluded. */
  to: Date | null;
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
  const collection = connection.collection<RequestDocument>('requests');

  function toDocument({ caller, ...request }: WindowRequest): RequestDocument {
    const { id, operation, outcome, status, code, address, paymentId, durationUs } = request;
    const { team_id, application_id, key_id, environment } = caller;
    const fields = {
      application_id,
      key_id,
      operation,
      status,
      code,
      client_address: address,
      payment_id: paymentId,
    };
    return {
      _id: id,
      team_id,
      environment,
      ...fields,
      outcome,
      duration_us: durationUs,
      terms: termsOf(fields),
      expires_at: new Date(idTimeMs(id) + keptMs),
    };
  }

  return {
    /** Stores the requests of these windows that are not stored yet. */
    async insertMissing(windows: readonly UsageWindow[]): Promise<void> {
      const requests = windows.flatMap(readLog);
      for (let start = 0; start < requests.length; start += INSERTED_AT_ONCE)
        await insertMissing(collection, requests.slice(start, start + INSERTED_AT_ONCE), toDocument);
    },

    list({ teamId, environment, search, from, to, ...page }: RequestQuery): Promise<Page<LoggedRequest>> {
      const [term, ...others] = termsOfSearch(search);
      const conditions = [
        ...(from ? [{ _id: { $gte: firstIdAt('request', from.getTime()) } }] : []),
        ...(to ? [{ _id: { $lt: firstIdAt('request', to.getTime()) } }] : []),
        ...others.map((other) => ({ terms: other })),
      ];
      return readPage(page, async ({ filter, sort, limit }) => {
        const documents = await collection
          .find({
            team_id: teamId,
            environment,
            ...(term !== undefined && { terms: term }),
            $and: [filter, ...conditions],
          })
          .sort(sort)
          .limit(limit)
          .maxTimeMS(QUERY_TIME_MS)
          .toArray();
        return documents.map(toRequest);
      });
    },

    async find(teamId: string, id: string): Promise<LoggedRequest | null> {
      const document = await collection.findOne({ _id: id, team_id: teamId });
      return document && toRequest(document);
    },
  };
}

function toRequest({ _id, duration_us, ...document }: RequestDocument): LoggedRequest {
  const { team_id, terms, expires_at, ...fields } = document;
  return {
    id: _id,
    ...fields,
    duration_ms: duration_us / 1_000,
    created_at: new Date(idTimeMs(_id)).toISOString(),
  };
}
