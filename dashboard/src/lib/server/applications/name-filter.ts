import { textFilter } from '#lib/server/list/filter.ts';

/** Records whose name contains a text. */
export const nameFilter = textFilter(
  { name: 'name', label: 'Name', control: 'search', placeholder: 'Part of the name', maxlength: 80 },
  'Enter a part of the name.',
  (name) => ({ name }),
);
