import type { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { ApiKeyStatus } from '@tollgate/contracts/applications/application';
import { choiceFilter, type FiltersOf, nameFilter } from '#lib/server/list/filter.ts';
import { applicationFilter } from './application-filter.ts';

const KEY_STATUS_LABELS: Record<ApiKeyStatus, string> = {
  active: 'Active',
  expired: 'Expired',
  revoked: 'Revoked',
};

export const KEY_FILTERS: FiltersOf<typeof ADMIN_ROUTES.listTeamKeys> = [
  nameFilter,
  applicationFilter,
  choiceFilter(
    { name: 'status', label: 'Status', labels: KEY_STATUS_LABELS },
    'Select a status.',
    (status) => ({ status }),
  ),
];
