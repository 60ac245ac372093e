import type { auditRoutes } from '@tollgate/contracts/admin-api/audit-routes';
import type { RouteRequest } from '@tollgate/contracts/admin-api/route';
import {
  AUDIT_ACTIONS,
  AUDIT_ACTORS,
  AUDIT_TARGETS,
  type AuditAction,
} from '@tollgate/contracts/audit/audit';
import { ENVIRONMENTS } from '@tollgate/contracts/platform/environment';
import { isId } from '@tollgate/contracts/platform/ids';
import { type ActiveFilter, activeFilters, type Chip } from '#lib/server/filters/active-filters.ts';
import { parseTimeRange, TIME_RANGE_CHIPS, TIME_RANGE_NAMES } from '#lib/server/filters/time-range.ts';
import { listPath, type Typed } from '#lib/server/filters/typed-filters.ts';

/** Values by field name in the form and in the address. `actor` and `target` hold a kind or an id. */
export const RECORD_FILTER_NAMES = [
  'search',
  'actor',
  'action',
  'target',
  'application',
  'environment',
  ...TIME_RANGE_NAMES,
] as const;
export type RecordFilterName = (typeof RECORD_FILTER_NAMES)[number];
export type TypedRecordFilters = Typed<RecordFilterName>;
export type RecordFilterErrors = Partial<Record<RecordFilterName, string>>;

type Request = Omit<RouteRequest<typeof auditRoutes.listRecords>, 'limit' | 'cursor'>;

const MAX_SEARCH_LENGTH = 128;
const MAX_ID_LENGTH = 64;

/** The API query, or the errors to correct first. */
export function parseRecordFilters(
  typed: TypedRecordFilters,
  timeZone: string,
): { request: Request; errors: RecordFilterErrors } {
  const errors: RecordFilterErrors = {};
  const { created_from, created_to } = parseTimeRange(typed, timeZone, errors);
  const request: Request = {
    ...(created_from !== undefined && { occurred_from: created_from }),
    ...(created_to !== undefined && { occurred_to: created_to }),
    ...parseActor(typed, errors),
    ...parseTarget(typed, errors),
  };
  if (typed.search.length > MAX_SEARCH_LENGTH) {
    errors.search = `Enter at most ${MAX_SEARCH_LENGTH} characters.`;
  } else if (typed.search !== '') request.search = typed.search;
  if (isAction(typed.action)) request.action = typed.action;
  else if (typed.action !== '') errors.action = 'Select an action.';
  if (isId('application', typed.application)) request.application_id = typed.application;
  else if (typed.application !== '') errors.application = 'Select an application.';
  const environment = ENVIRONMENTS.find((candidate) => candidate === typed.environment);
  if (environment) request.environment = environment;
  else if (typed.environment !== '') errors.environment = 'Select live or sandbox.';
  return { request, errors };
}

function parseActor({ actor }: TypedRecordFilters, errors: RecordFilterErrors): Request {
  if (actor === '') return {};
  const type = AUDIT_ACTORS.find((candidate) => candidate === actor);
  if (type) return { actor_type: type };
  if (actor.length <= MAX_ID_LENGTH) return { actor_id: actor };
  errors.actor = 'Select an actor.';
  return {};
}

function parseTarget({ target }: TypedRecordFilters, errors: RecordFilterErrors): Request {
  if (target === '') return {};
  const type = AUDIT_TARGETS.find((candidate) => candidate === target);
  if (type) return { target_type: type };
  if (target.length <= MAX_ID_LENGTH) return { target_id: target };
  errors.target = 'Select a target.';
  return {};
}

function isAction(value: string): value is AuditAction {
  return Object.hasOwn(AUDIT_ACTIONS, value);
}

/** Labels of filter values, by value; a value without a label is shown as is. */
export type FilterLabels = Record<
  'actor' | 'action' | 'target' | 'application' | 'environment',
  ReadonlyMap<string, string>
>;

/** The active filters, in the order of the form. */
export function activeRecordFilters(typed: TypedRecordFilters, labels: FilterLabels): ActiveFilter[] {
  const choice = (label: string, name: keyof FilterLabels): Chip<RecordFilterName> => ({
    label,
    names: [name],
    say: (values) => labels[name].get(values[name]) ?? values[name],
  });
  const chips: Chip<RecordFilterName>[] = [
    { label: 'Search', names: ['search'], say: ({ search }) => search },
    choice('Actor', 'actor'),
    choice('Action', 'action'),
    choice('Target', 'target'),
    choice('Application', 'application'),
    choice('Environment', 'environment'),
    ...(TIME_RANGE_CHIPS as readonly Chip<RecordFilterName>[]),
  ];
  return activeFilters(chips, typed, recordsPath);
}

export function recordsPath(typed: TypedRecordFilters): string {
  return listPath('/audit', RECORD_FILTER_NAMES, typed);
}
