/** Path of the audit log with filters, such as the actor or the target of its records. */
export function recordsHref(filters: Record<string, string>): string {
  return `/audit?${new URLSearchParams(filters)}`;
}
