import type { applicationRoutes } from '@tollgate/contracts/admin-api/applications-routes';
import type { RouteRequest } from '@tollgate/contracts/admin-api/route';
import { isLabel } from '@tollgate/contracts/applications/labels';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { type ActiveFilter, activeFilters, type Chip } from '#lib/server/filters/active-filters.ts';
import { listPath, type Typed } from '#lib/server/filters/typed-filters.ts';
import { toLabel } from './read-labels.ts';

/** Names of the filters, as fields of the form and of the address. `status` is chosen by tabs. */
export const APPLICATION_FILTER_NAMES = ['name', 'label', 'status'] as const;
export type ApplicationFilterName = (typeof APPLICATION_FILTER_NAMES)[number];
export type TypedApplicationFilters = Typed<ApplicationFilterName>;
export type ApplicationFilterErrors = Partial<Record<ApplicationFilterName, string>>;

type Request = Pick<RouteRequest<typeof applicationRoutes.listApplications>, 'name' | 'label'>;

/** The API query, or the errors to correct first. */
export function parseApplicationFilters(typed: TypedApplicationFilters): {
  request: Request;
  errors: ApplicationFilterErrors;
} {
  const errors: ApplicationFilterErrors = {};
  const request: Request = {};
  if (typed.name !== '') request.name = typed.name;
  const label = toLabel(typed.label);
  if (isLabel(label)) request.label = label;
  else if (label !== '') errors.label = 'Enter a key and a value, for example env:prod.';
  return { request, errors };
}

/** The active filters, in the order of the form. */
export function activeApplicationFilters(
  typed: TypedApplicationFilters,
  environment: Environment,
): ActiveFilter[] {
  const chips: Chip<ApplicationFilterName>[] = [
    { label: 'Name', names: ['name'], say: ({ name }) => name },
    { label: 'Label', names: ['label'], say: ({ label }) => toLabel(label) },
  ];
  return activeFilters(chips, typed, (others) => applicationsPath(environment, others));
}

export function applicationsPath(environment: Environment, typed: TypedApplicationFilters): string {
  return listPath(`/${environment}/applications`, APPLICATION_FILTER_NAMES, typed);
}
