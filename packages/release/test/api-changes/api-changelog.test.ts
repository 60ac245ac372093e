import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { APIS, releasedDocument } from '../../src/api-changes/api-documents.ts';
import { checkApis } from '../../src/api-changes/check-apis.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

it.each(checkApis(ROOT))(
  'the API changelog names every change of the $title since the last release',
  (api) => {
    expect(
      { missing: api.missing.map(({ sentence }) => sentence), wrong: api.wrong },
      'npm run api-changes prints the entries to add to docs/api-changelog.md',
    ).toEqual({ missing: [], wrong: [] });
  },
);

it.each(APIS)('the document of the last release of the $title describes operations', (api) => {
  expect(Object.keys(releasedDocument(ROOT, api).paths ?? {})).not.toEqual([]);
});
