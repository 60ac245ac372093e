import type { auditRoutes } from '@tollgate/contracts/admin-api/audit-routes';
import type { RouteRequest } from '@tollgate/contracts/admin-api/route';
import {
  AUDIT_ACTIONS,
  AUDIT_ACTORS,
  AUDIT_TARGETS,
  type AuditAction,
} from '@tollgate/contracts/audit/audit';
import type { Environment } from '@tollgate/contracts/platform/environment';
import type { Option, OptionGroup } from '#lib/components/option.ts';
import { applicationFilter } from '#lib/server/applications/application-filter.ts';
import { choiceFilter, optionsOf } from '#lib/server/list/choice-filter.ts';
import { type Filter, textFilter } from '#lib/server/list/filter.ts';
import { timeRange } from '#lib/server/list/time-range.ts';
import { actionGroups, TARGET_LABELS } from './action-groups.ts';

type Request = Omit<RouteRequest<typeof auditRoutes.listRecords>, 'limit' | 'cursor'>;

const MAX_SEARCH_LENGTH = 128;
const MAX_ID_LENGTH = 64;
const ACTOR_LABELS: Record<(typeof AUDIT_ACTORS)[number], string> = {
  member: 'Any member',
  token: 'Any API token',
  key: 'Any API key',
  processor: 'Any processor',
  system: 'System or unauthenticated',
};
const ENVIRONMENT_LABELS: Record<Environment, string> = { live: 'Live', sandbox: 'Sandbox' };

/** `actor` and `target` are a kind or an id. */
export const RECORD_FILTERS: readonly Filter<Request>[] = [
  textFilter(
    {
      name: 'search',
      label: 'Search',
      control: 'search',
      placeholder: 'Name, ID, IP address, or request ID',
      maxlength: MAX_SEARCH_LENGTH,
    },
    `Enter at most ${MAX_SEARCH_LENGTH} characters.`,
    (search) => (search.length <= MAX_SEARCH_LENGTH ? { search } : null),
  ),
  textFilter<Request>(
    { name: 'actor', label: 'Actor', control: 'select', any: 'Any' },
    'Select an actor.',
    (actor) => {
      const actor_type = AUDIT_ACTORS.find((candidate) => candidate === actor);
      if (actor_type) return { actor_type };
      return actor.length <= MAX_ID_LENGTH ? { actor_id: actor } : null;
    },
  ),
  textFilter(
    { name: 'action', label: 'Action', control: 'select', any: 'Any', options: actionGroups() },
    'Select an action.',
    (action) => (isAction(action) ? { action } : null),
  ),
  textFilter<Request>(
    { name: 'target', label: 'Target', control: 'select', any: 'Any', options: optionsOf(TARGET_LABELS) },
    'Select a target.',
    (target) => {
      const target_type = AUDIT_TARGETS.find((candidate) => candidate === target);
      if (target_type) return { target_type };
      return target.length <= MAX_ID_LENGTH ? { target_id: target } : null;
    },
  ),
  applicationFilter,
  choiceFilter(
    { name: 'environment', label: 'Environment', labels: ENVIRONMENT_LABELS },
    'Select live or sandbox.',
    (environment) => ({ environment }),
  ),
  timeRange('Occurred', ({ from, to }) => ({
    ...(from !== undefined && { occurred_from: from }),
    ...(to !== undefined && { occurred_to: to }),
  })),
];

/** Kinds of actors, and each member. */
export function actorOptions(members: readonly { id: string; name: string }[]): (Option | OptionGroup)[] {
  const kinds = optionsOf(ACTOR_LABELS);
  if (members.length === 0) return kinds;
  return [
    ...kinds,
    { label: 'Members', options: members.map(({ id, name }) => ({ value: id, label: name })) },
  ];
}

function isAction(value: string): value is AuditAction {
  return Object.hasOwn(AUDIT_ACTIONS, value);
}
