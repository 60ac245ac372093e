import type { keyRoutes } from '@tollgate/contracts/admin-api/applications-routes';
import type { RouteRequest } from '@tollgate/contracts/admin-api/route';
import type { ApiKeyStatus } from '@tollgate/contracts/applications/application';
import { choiceFilter } from '#lib/server/list/choice-filter.ts';
import type { Filter } from '#lib/server/list/filter.ts';
import { applicationFilter } from './application-filter.ts';
import { nameFilter } from './name-filter.ts';

type Request = Omit<RouteRequest<typeof keyRoutes.listTeamKeys>, 'limit' | 'cursor' | 'environment'>;

const KEY_STATUS_LABELS: Record<ApiKeyStatus, string> = {
  active: 'Active',
  expired: 'Expired',
  revoked: 'Revoked',
};

export const KEY_FILTERS: readonly Filter<Request>[] = [
  nameFilter,
  applicationFilter,
  choiceFilter(
    { name: 'status', label: 'Status', labels: KEY_STATUS_LABELS },
    'Select a status.',
    (status) => ({
      status,
    }),
  ),
];
