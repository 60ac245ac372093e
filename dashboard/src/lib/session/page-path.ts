/** The address of a page within this site. `?/rename` names a form action, which is not part of it. */
export function pagePath(url: Pick<URL, 'pathname' | 'search'>): string {
  const query = new URLSearchParams(url.search);
  for (const name of [...query.keys()]) if (name.startsWith('/')) query.delete(name);
  return query.size > 0 ? `${url.pathname}?${query}` : url.pathname;
}
