import { idFilter } from '#lib/server/list/filter.ts';

/** The records of one application. The load function provides the options. */
export const applicationFilter = idFilter(
  'application',
  { name: 'application', label: 'Application', control: 'select', any: 'All' },
  'Select an application.',
  (application_id) => ({ application_id }),
);
