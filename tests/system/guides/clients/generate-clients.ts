import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { FetchingJSONSchemaStore, InputData, JSONSchemaInput, quicktype } from 'quicktype-core';

interface OpenapiDocument {
  components: object;
}

/** Schemas that a client needs for the operations. */
const ROOT_SCHEMAS = ['CreatePaymentBody', 'CancelPaymentBody', 'Payment', 'Problem'];

/** Generates a client of every kind into an empty folder. */
export async function generateClients(document: OpenapiDocument, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, 'openapi-typescript.ts'),
    astToString(await openapiTypescript(JSON.stringify(document))),
  );
  await createClient({
    input: document as never,
    output: { path: join(folder, 'hey-api'), module: { extension: '.ts' } },
    logs: { level: 'silent', file: false },
    plugins: ['@hey-api/client-fetch', '@hey-api/sdk', '@hey-api/typescript'],
  });
  await writeFile(join(folder, 'payments.py'), await pythonTypes(document));
}

/**
 * No generator on npm writes both the types and the requests of a client in another language without a download for Java or
 * .NET. quicktype writes Python classes that validate what they read, and `python-requests.ts` generates the requests.
 */
async function pythonTypes({ components }: OpenapiDocument): Promise<string> {
  const input = new JSONSchemaInput(new FetchingJSONSchemaStore());
  for (const name of ROOT_SCHEMAS) {
    await input.addSource({
      name,
      schema: JSON.stringify({ $ref: `#/components/schemas/${name}`, components }),
    });
  }
  const inputData = new InputData();
  inputData.addInput(input);
  const { lines } = await quicktype({
    inputData,
    lang: 'python',
    rendererOptions: { 'python-version': '3.7' },
  });
  return lines.join('\n');
}
