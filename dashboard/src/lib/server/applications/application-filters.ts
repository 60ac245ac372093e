import type { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { isLabel } from '@tollgate/contracts/applications/labels';
import { choiceFilter, type FiltersOf, nameFilter, textFilter } from '#lib/server/list/filter.ts';
import { toLabel } from './read-labels.ts';

/** The status is chosen by tabs. Without it, the list contains active applications. */
export const APPLICATION_FILTERS: FiltersOf<typeof ADMIN_ROUTES.listApplications> = [
  nameFilter,
  textFilter(
    { name: 'label', label: 'Label', placeholder: 'env:prod', isMono: true },
    'Enter a key and a value, for example env:prod.',
    (text) => (isLabel(toLabel(text)) ? { label: toLabel(text) } : null),
  ),
  choiceFilter(
    { name: 'status', label: 'Status', control: 'hidden', isView: true, labels: { archived: 'Archived' } },
    'Select active or archived.',
  ),
];
