/** Whether the last update of a page lacks a part, because a service did not respond: see `pagePart`. A list has its part in `page`. */
export function hasFailedPart(data: object): boolean {
  return Object.values(data).some((part) => isFailed(part) || (isObject(part) && isFailed(part['page'])));
}

function isFailed(part: unknown): boolean {
  return isObject(part) && part['ok'] === false;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object';
}
