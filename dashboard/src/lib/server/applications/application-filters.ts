import type { applicationRoutes } from '@tollgate/contracts/admin-api/applications-routes';
import type { RouteRequest } from '@tollgate/contracts/admin-api/route';
import { isLabel } from '@tollgate/contracts/applications/labels';
import { choiceFilter } from '#lib/server/list/choice-filter.ts';
import { type Filter, textFilter } from '#lib/server/list/filter.ts';
import { nameFilter } from './name-filter.ts';
import { toLabel } from './read-labels.ts';

type Request = Pick<RouteRequest<typeof applicationRoutes.listApplications>, 'name' | 'label' | 'status'>;

/** The status is chosen by tabs. Without it, the list contains active applications. */
export const APPLICATION_FILTERS: readonly Filter<Request>[] = [
  nameFilter,
  textFilter(
    { name: 'label', label: 'Label', placeholder: 'env:prod', isMono: true },
    'Enter a key and a value, for example env:prod.',
    (text) => (isLabel(toLabel(text)) ? { label: toLabel(text) } : null),
  ),
  choiceFilter(
    { name: 'status', label: 'Status', control: 'hidden', isView: true, labels: { archived: 'Archived' } },
    'Select active or archived.',
    (status) => ({ status }),
  ),
];
