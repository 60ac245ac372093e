/** Whether the last update of a page lacks a part, because a service did not respond: see `pagePart`. */
export function hasFailedPart(data: object): boolean {
  return Object.values(data).some((part) => part !== null && typeof part === 'object' && part.ok === false);
}
