import { page } from '$app/state';

/** The address of the shown list with another cursor. Filters are kept. */
export function hrefTo(cursor: string): string {
  const query = new URLSearchParams(page.url.search);
  query.set('cursor', cursor);
  return `?${query}`;
}
