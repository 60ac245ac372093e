/** Writes what is generated from the tables of variables and the schemas. A test compares the files. */
import { writeFileSync } from 'node:fs';
import { GENERATED } from './generated.ts';

for (const { file, text } of GENERATED) writeFileSync(file, text());
