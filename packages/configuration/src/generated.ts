import { renderKnownNames } from './known-names.ts';
import { renderPage } from './render-page.ts';
import { renderSchemas } from './render-schemas.ts';
import { SCHEMAS } from './schemas.ts';
import { TABLES } from './tables.ts';

const ROOT = new URL('../../../', import.meta.url);

/** Files that are generated from the tables of variables and from the schemas. */
export const GENERATED = [
  { file: new URL('docs/operating/configuration.md', ROOT), text: () => renderPage(TABLES) },
  {
    file: new URL('packages/runtime/src/known-variables.ts', ROOT),
    text: () => renderKnownNames(TABLES),
  },
  { file: new URL('docs/operating/schema.md', ROOT), text: () => renderSchemas(SCHEMAS) },
];
