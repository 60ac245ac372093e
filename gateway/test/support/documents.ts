import { createAdminOpenapi } from '../../src/admin-api/openapi.ts';
import { createOpenapi } from '../../src/docs/openapi.ts';

const docsBaseUrl = 'https://api.pay.test/docs';

/** The OpenAPI documents of both APIs as a client reads them. */
export const DOCUMENTS: Record<string, object> = {
  'the public API': parsed(
    createOpenapi({
      docsBaseUrl,
      baseUrls: { live: 'https://api.pay.test', sandbox: 'https://sandbox.pay.test' },
    }),
  ),
  'the admin API': parsed(createAdminOpenapi({ docsBaseUrl, adminApiUrl: 'https://admin.pay.test' })),
};

function parsed(document: object): object {
  return JSON.parse(JSON.stringify(document));
}

/** Every object within a value, with the path to it, outermost first. */
export function* objectsIn(
  value: unknown,
  path: readonly string[] = [],
): Generator<[readonly string[], Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return;
  yield [path, value as Record<string, unknown>];
  for (const [name, child] of Object.entries(value)) yield* objectsIn(child, [...path, name]);
}
