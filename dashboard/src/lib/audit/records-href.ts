/** Paths of the audit log, filtered to the subject of a page. */
export function recordsAbout(id: string): string {
  return `/audit?${new URLSearchParams({ target: id })}`;
}

export function recordsBy(actorId: string): string {
  return `/audit?${new URLSearchParams({ actor: actorId })}`;
}

/** `text` is the search text: an IP address or a request id. */
export function recordsMatching(text: string): string {
  return `/audit?${new URLSearchParams({ search: text })}`;
}
