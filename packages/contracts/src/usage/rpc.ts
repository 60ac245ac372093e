import Type from 'typebox';
import { EnvironmentSchema } from '../platform/environment.ts';
import { Id } from '../platform/ids.ts';
import { Page, PageRequest } from '../platform/page.ts';
import { rpc } from '../platform/rpc-contract.ts';
import { Nullable, TextOfPattern } from '../platform/schema.ts';
import { Time } from '../platform/time.ts';
import { LoggedRequest, RequestFilters } from './logged-request.ts';
import {
  KeyUse,
  USAGE_GRANULARITIES,
  USAGE_GROUPS,
  USAGE_LIMITS,
  USAGE_OPERATIONS,
  USAGE_OUTCOMES,
  UsageRow,
  UsageTotal,
} from './usage.ts';

/** Filters, all of which must match, and the grouping. */
export const UsageQuery = {
  /** Rounded down to the minute, hour, or day, which is included. */
  from: Time,
  /** Rounded up to the minute, hour, or day, which is excluded. */
  to: Time,
  application_id: Type.Optional(Id('application')),
  key_id: Type.Optional(Id('apiKey')),
  environment: Type.Optional(EnvironmentSchema),
  operation: Type.Optional(Type.Enum(USAGE_OPERATIONS)),
  outcome: Type.Optional(Type.Enum(USAGE_OUTCOMES)),
  granularity: Type.Enum(USAGE_GRANULARITIES),
  /** Comma-separated names, as in a query parameter: `application,key`. Absent: one group of all usage. */
  group_by: Type.Optional(
    TextOfPattern(
      `^(${USAGE_GROUPS.join('|')})(,(${USAGE_GROUPS.join('|')}))*$`,
      `This must be one or more of ${USAGE_GROUPS.join(', ')}, separated by commas.`,
      { maxLength: 64, description: `One or more of ${USAGE_GROUPS.join(', ')}, separated by commas` },
    ),
  ),
};

/**
 * Returns usage over time, oldest first. A range with more points than one query allows is rejected with
 * `invalid-request`. Rows beyond one reply are on the page of `next_cursor`. Minutes are kept for 35 days, hours for 13
 * months, days permanently.
 */
export const queryUsage = rpc('usage', 'query', 'member-or-token', {
  request: {
    ...UsageQuery,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: USAGE_LIMITS.rowsPerReply })),
    cursor: Type.Optional(Type.String({ maxLength: 512 })),
  },
  reply: Page(UsageRow),
});

/**
 * Returns the usage of an entire period, most requests first, for at most `limit` groups. `total` covers all groups.
 */
export const totalUsage = rpc('usage', 'total', 'member-or-token', {
  request: {
    ...UsageQuery,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  },
  reply: Type.Object({ total: UsageTotal, groups: Type.Array(UsageTotal) }),
});

/**
 * The requests of an environment, newest first. A request appears after about two seconds, and can appear later than a newer one:
 * each gateway reports on its own.
 */
export const listRequests = rpc('usage', 'list_requests', 'member-or-token', {
  request: { environment: EnvironmentSchema, ...RequestFilters, ...PageRequest },
  reply: Page(LoggedRequest),
});

export const getRequest = rpc('usage', 'get_request', 'member-or-token', {
  request: { request_id: Id('request') },
  reply: LoggedRequest,
});

/** Returns when the keys of an application were last used, at most a minute behind. An unused key has no row. */
export const keyUses = rpc('usage', 'last_used', 'member-or-token', {
  request: { application_id: Id('application') },
  reply: Page(KeyUse),
});

export const MAX_CONFIRMED_WINDOWS = 1_000;

/** Returns which windows of a gateway are stored permanently, so that the gateway can remove them. */
export const confirmWindows = rpc('usage', 'confirm_windows', 'service', {
  request: {
    gateway_id: Id('gatewayInstance'),
    numbers: Type.Array(Type.Integer({ minimum: 1 }), { minItems: 1, maxItems: MAX_CONFIRMED_WINDOWS }),
  },
  reply: Type.Object({ stored: Type.Array(Type.Integer({ minimum: 1 })) }),
});

/** Returns how current usage is: every response before `complete_to` is counted, as far as this service knows. */
export const usageProgress = rpc('usage', 'progress', 'member-or-token', {
  reply: Type.Object({ complete_to: Nullable(Time), windows_to_roll_up: Type.Integer({ minimum: 0 }) }),
});
