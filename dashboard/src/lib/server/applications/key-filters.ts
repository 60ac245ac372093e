import type { keyRoutes } from '@tollgate/contracts/admin-api/applications-routes';
import type { RouteRequest } from '@tollgate/contracts/admin-api/route';
import { API_KEY_STATUSES } from '@tollgate/contracts/applications/application';
import { labelsOf } from '#lib/format/label-of.ts';
import { choiceFilter } from '#lib/server/list/choice-filter.ts';
import type { Filter } from '#lib/server/list/filter.ts';
import { applicationFilter } from './application-filter.ts';
import { nameFilter } from './name-filter.ts';

type Request = Omit<RouteRequest<typeof keyRoutes.listTeamKeys>, 'limit' | 'cursor' | 'environment'>;

export const KEY_FILTERS: readonly Filter<Request>[] = [
  nameFilter,
  applicationFilter,
  choiceFilter(
    { name: 'status', label: 'Status', labels: labelsOf(API_KEY_STATUSES) },
    'Select a status.',
    (status) => ({
      status,
    }),
  ),
];
