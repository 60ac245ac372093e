import type { FieldError } from '@tollgate/contracts/problem';

/** Maps a field error of an RPC request to the HTTP request: fields of the path or the query become parameters. */
export function toHttpError(error: FieldError, isParameter: (name: string) => boolean): FieldError {
  const name = nameOf(error.pointer);
  if (name === 'if_version') return { header: 'If-Match', code: error.code, detail: error.detail };
  return name !== null && isParameter(name) ? toParameter(error) : error;
}

export function toParameter(error: FieldError): FieldError {
  const name = nameOf(error.pointer);
  return name === null ? error : { parameter: name, code: error.code, detail: error.detail };
}

/** First name in an RFC 6901 pointer. */
function nameOf(pointer: string | undefined): string | null {
  const [, name] = pointer?.split('/') ?? [];
  return name === undefined ? null : name.replaceAll('~1', '/').replaceAll('~0', '~');
}
