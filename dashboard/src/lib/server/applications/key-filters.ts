import type { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { API_KEY_STATUSES } from '@tollgate/contracts/applications/application';
import { labelsOf } from '#lib/format/label-of.ts';
import { applicationFilter, choiceFilter, type FiltersOf, nameFilter } from '#lib/server/list/filter.ts';

export const KEY_FILTERS: FiltersOf<typeof ADMIN_ROUTES.listTeamKeys> = [
  nameFilter,
  applicationFilter,
  choiceFilter({ name: 'status', label: 'Status', labels: labelsOf(API_KEY_STATUSES) }, 'Select a status.'),
];
