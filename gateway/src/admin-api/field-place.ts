import type { FieldError } from '@tollgate/contracts/problem';

/** An error of an RPC's member as one of the HTTP request: what the path or the query names is a parameter, no member of a body. */
export function toHttpError(error: FieldError, isParameter: (name: string) => boolean): FieldError {
  const name = nameOf(error.pointer);
  if (name === 'if_version') return { header: 'If-Match', code: error.code, detail: error.detail };
  return name !== null && isParameter(name) ? toParameter(error) : error;
}

export function toParameter(error: FieldError): FieldError {
  const name = nameOf(error.pointer);
  return name === null ? error : { parameter: name, code: error.code, detail: error.detail };
}

/** First name of an RFC 6901 pointer. */
function nameOf(pointer: string | undefined): string | null {
  const [, name] = pointer?.split('/') ?? [];
  return name === undefined ? null : name.replaceAll('~1', '/').replaceAll('~0', '~');
}
