import type { keyRoutes } from '@tollgate/contracts/admin-api/applications-routes';
import type { RouteRequest } from '@tollgate/contracts/admin-api/route';
import { API_KEY_STATUSES } from '@tollgate/contracts/applications/application';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { isId } from '@tollgate/contracts/platform/ids';
import { type ActiveFilter, activeFilters, type Chip } from '#lib/server/filters/active-filters.ts';
import { listPath, type Typed } from '#lib/server/filters/typed-filters.ts';

/** Names of the filters, as fields of the form and of the address. */
export const KEY_FILTER_NAMES = ['name', 'application', 'status'] as const;
export type KeyFilterName = (typeof KEY_FILTER_NAMES)[number];
export type TypedKeyFilters = Typed<KeyFilterName>;
export type KeyFilterErrors = Partial<Record<KeyFilterName, string>>;

type Request = Omit<RouteRequest<typeof keyRoutes.listTeamKeys>, 'limit' | 'cursor' | 'environment'>;

export const KEY_STATUS_CHOICES = [
  { value: 'active', label: 'Active' },
  { value: 'expired', label: 'Expired' },
  { value: 'revoked', label: 'Revoked' },
] as const;

/** The API query, or the errors to correct first. */
export function parseKeyFilters(typed: TypedKeyFilters): { request: Request; errors: KeyFilterErrors } {
  const errors: KeyFilterErrors = {};
  const request: Request = {};
  if (typed.name !== '') request.name = typed.name;
  const status = API_KEY_STATUSES.find((candidate) => candidate === typed.status);
  if (status) request.status = status;
  else if (typed.status !== '') errors.status = 'Select a status.';
  if (isId('application', typed.application)) request.application_id = typed.application;
  else if (typed.application !== '') errors.application = 'Select an application.';
  return { request, errors };
}

/** The active filters, in the order of the form. `applicationNames` is by id. */
export function activeKeyFilters(
  typed: TypedKeyFilters,
  {
    environment,
    applicationNames,
  }: { environment: Environment; applicationNames: ReadonlyMap<string, string> },
): ActiveFilter[] {
  const chips: Chip<KeyFilterName>[] = [
    { label: 'Name', names: ['name'], say: ({ name }) => name },
    {
      label: 'Application',
      names: ['application'],
      say: ({ application }) => applicationNames.get(application) ?? application,
    },
    { label: 'Status', names: ['status'], say: ({ status }) => statusLabel(status) },
  ];
  return activeFilters(chips, typed, (others) => keysPath(environment, others));
}

export function keysPath(environment: Environment, typed: TypedKeyFilters): string {
  return listPath(`/${environment}/applications/keys`, KEY_FILTER_NAMES, typed);
}

function statusLabel(status: string): string {
  return KEY_STATUS_CHOICES.find(({ value }) => value === status)?.label ?? status;
}
