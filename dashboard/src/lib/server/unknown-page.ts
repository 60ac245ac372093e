import { error } from '@sveltejs/kit';

/** Route of every path without a page. */
export const UNKNOWN_PAGE_ROUTE = '/(app)/[...path]';

export function rejectUnknownPage(): never {
  error(404, 'Check the address of the page.');
}
