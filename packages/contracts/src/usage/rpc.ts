import Type from 'typebox';
import { Page, PageRequest } from '../platform/page.ts';
import { contractsOf } from '../platform/rpc-contract.ts';
import { EnvironmentSchema, Id, Nullable, TextOfPattern, Time } from '../platform/schema.ts';
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

const rpc = contractsOf('usage');

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
 * Oldest first. A range with more points than one query allows is rejected with `invalid-request`. Minutes are kept for 35 days, hours for
 * 13 months, days permanently.
 */
export const queryUsage = rpc('query', 'member-or-token', {
  request: {
    ...UsageQuery,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: USAGE_LIMITS.rowsPerReply })),
    cursor: Type.Optional(Type.String({ maxLength: 512 })),
  },
  reply: Page(UsageRow),
});

/** `total` covers all groups, also those beyond `limit`. */
export const totalUsage = rpc('total', 'member-or-token', {
  request: { ...UsageQuery, limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })) },
  reply: Type.Object({ total: UsageTotal, groups: Type.Array(UsageTotal) }),
});

/** A request appears after about two seconds, and can appear later than a newer one: each gateway reports on its own. */
export const listRequests = rpc('list_requests', 'member-or-token', {
  request: { environment: EnvironmentSchema, ...RequestFilters, ...PageRequest },
  reply: Page(LoggedRequest),
});

export const getRequest = rpc('get_request', 'member-or-token', {
  request: { request_id: Id('request') },
  reply: LoggedRequest,
});

/** At most a minute behind. An unused key has no row. */
export const keyUses = rpc('last_used', 'member-or-token', {
  request: { application_id: Id('application') },
  reply: Page(KeyUse),
});

export const MAX_CONFIRMED_WINDOWS = 1_000;

/** Returns which windows of a gateway are stored permanently, so that the gateway can remove them. */
export const confirmWindows = rpc('confirm_windows', 'service', {
  request: {
    gateway_id: Id('gatewayInstance'),
    numbers: Type.Array(Type.Integer({ minimum: 1 }), { minItems: 1, maxItems: MAX_CONFIRMED_WINDOWS }),
  },
  reply: Type.Object({ stored: Type.Array(Type.Integer({ minimum: 1 })) }),
});

/** Every response before `complete_to` is counted, as far as this service knows. */
export const usageProgress = rpc('progress', 'member-or-token', {
  reply: Type.Object({ complete_to: Nullable(Time), windows_to_roll_up: Type.Integer({ minimum: 0 }) }),
});
