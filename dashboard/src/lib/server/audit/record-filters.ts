import type { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { AUDIT_ACTIONS, AUDIT_ACTORS, AUDIT_TARGETS } from '@tollgate/contracts/audit/audit';
import { ENVIRONMENTS } from '@tollgate/contracts/platform/environment';
import type { Option, OptionGroup } from '#lib/components/option.ts';
import { labelsOf } from '#lib/format/label-of.ts';
import {
  applicationFilter,
  choiceFilter,
  type Filter,
  type FiltersOf,
  optionsOf,
  searchFilter,
  textFilter,
} from '#lib/server/list/filter.ts';
import { timeRange } from '#lib/server/list/time-range.ts';
import { actionGroups, TARGET_LABELS } from './action-groups.ts';

const MAX_SEARCH_LENGTH = 128;
const MAX_ID_LENGTH = 64;
const ACTOR_LABELS: Record<(typeof AUDIT_ACTORS)[number], string> = {
  member: 'Any member',
  token: 'Any API token',
  key: 'Any API key',
  processor: 'Any processor',
  system: 'System or unauthenticated',
};

export const RECORD_FILTERS: FiltersOf<typeof ADMIN_ROUTES.listRecords> = [
  searchFilter('Name, ID, IP address, or request ID', MAX_SEARCH_LENGTH),
  kindFilter({ name: 'actor', label: 'Actor' }, 'Select an actor.', AUDIT_ACTORS),
  choiceFilter(
    { name: 'action', label: 'Action', labels: AUDIT_ACTIONS, options: actionGroups() },
    'Select an action.',
  ),
  kindFilter(
    { name: 'target', label: 'Target', options: optionsOf(TARGET_LABELS) },
    'Select a target.',
    AUDIT_TARGETS,
  ),
  applicationFilter,
  choiceFilter(
    { name: 'environment', label: 'Environment', labels: labelsOf(ENVIRONMENTS) },
    'Select live or sandbox.',
  ),
  timeRange('Occurred', ({ from, to }) => ({ occurred_from: from, occurred_to: to })),
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

/** The value is a kind or an id. */
function kindFilter(
  field: { name: 'actor' | 'target'; label: string; options?: Option[] },
  problem: string,
  kinds: readonly string[],
): Filter<object> {
  const { name } = field;
  return textFilter({ control: 'select', any: 'Any', ...field }, problem, (value) => {
    if (kinds.includes(value)) return { [`${name}_type`]: value };
    return value.length <= MAX_ID_LENGTH ? { [`${name}_id`]: value } : null;
  });
}
