/** Addresses of the log, narrowed to what a page is about. */
export function recordsAbout(id: string): string {
  return `/audit?${new URLSearchParams({ target: id })}`;
}

export function recordsBy(actorId: string): string {
  return `/audit?${new URLSearchParams({ actor: actorId })}`;
}

/** `text` is searched for: an IP address, the id of a request. */
export function recordsFinding(text: string): string {
  return `/audit?${new URLSearchParams({ search: text })}`;
}
