import type { Deprecation } from '@tollgate/contracts/platform/deprecation';

/** The description of an operation, with the dates of its deprecation. */
export function withDeprecation(description: string, deprecation: Deprecation | null | undefined): string {
  if (!deprecation) return description;
  const { since, sunset, link } = deprecation;
  return `**Deprecated since ${dayOf(since)}.** Stops working on ${dayOf(sunset)}. [What to use instead](${link.href})\n\n${description}`;
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
