import { writeFileSync } from 'node:fs';
import { openapiDocument } from './openapi-document.ts';

/** Writes the committed document. A test compares it with the schemas. */
const FILE = new URL('../../../../docs/processor-adapter.openapi.json', import.meta.url);

writeFileSync(FILE, `${JSON.stringify(openapiDocument(), null, 2)}\n`);
