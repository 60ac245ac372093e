import type { Labels } from '@tollgate/contracts/applications/labels';

/** `env:prod`, as the API's filter and a label's badge show it. */
export function labelTexts(labels: Labels): string[] {
  return Object.entries(labels).map(([key, value]) => `${key}:${value}`);
}
