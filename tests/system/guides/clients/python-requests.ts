import oasToSnippet from '@readme/oas-to-snippet';
import Oas from 'oas';
import type { OASDocument } from 'oas/types';

type HttpMethod = 'get' | 'post';

/** Values for the parameters and the body of an operation. */
interface RequestValues {
  path?: Record<string, string>;
  header?: Record<string, string>;
  body?: object;
}

/** Generates the Python code that sends a request with these values. `values` is JSON, as it comes from Python. */
export type GenerateRequest = (method: HttpMethod, path: string, values: string) => string;

/**
 * Generates Python requests for the operations of a document. The address, headers, credential, and encoding of a
 * request are what the generator reads in the document.
 */
export function pythonRequests(
  document: object,
  { baseUrl, key }: { baseUrl: string; key: string },
): GenerateRequest {
  const { servers = [], components } = document as OASDocument;
  // The document has `localhost` as the host, and the tests have its address.
  const selected = servers.findIndex(({ url }) => new URL(url).port === new URL(baseUrl).port);
  if (selected === -1) throw new Error(`The document names no server with the port of ${baseUrl}.`);
  const credentials = Object.fromEntries(
    Object.keys(components?.securitySchemes ?? {}).map((scheme) => [scheme, key]),
  );
  const api = new Oas(document as OASDocument);
  return (method, path, values) => {
    const request: RequestValues = JSON.parse(values);
    const operation = api.operation(path, method);
    const { code } = oasToSnippet(api, operation, { ...request, server: { selected } }, credentials, [
      'python',
      'requests',
    ]);
    if (code === false) throw new Error(`The generator wrote no code for ${method} ${path}.`);
    return code;
  };
}
