import type { Labels } from '@tollgate/contracts/applications/labels';

/** The labels as stored: `<key>:<value>`. A key contains no colon. */
export function labelTexts(labels: Labels): string[] {
  return Object.entries(labels).map(([key, value]) => `${key}:${value}`);
}

export function labelsOf(texts: readonly string[]): Labels {
  return Object.fromEntries(
    texts.map((text) => {
      const colon = text.indexOf(':');
      return [text.slice(0, colon), text.slice(colon + 1)];
    }),
  );
}
