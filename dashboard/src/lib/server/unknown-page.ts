import { error } from '@sveltejs/kit';

/** Route of every path without a page. */
export const UNKNOWN_PAGE_ROUTE = '/(app)/[...path]';

export function rejectUnknownPage({ requestId }: App.Locals): never {
  error(404, { message: 'Check the address of the page.', requestId });
}
