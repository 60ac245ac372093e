import { type FieldError, Problem } from '@tollgate/contracts/platform/problem';

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

/** Returns the error with a new place for each field that it names. Errors without fields are returned unchanged. */
export function mapFieldErrors(error: unknown, toPlace: (error: FieldError) => FieldError): unknown {
  if (!(error instanceof Problem) || !error.details.errors) return error;
  const { code, detail, errors, ...more } = error.details;
  return new Problem(code, detail, { ...more, errors: errors.map(toPlace) });
}

/** First name in an RFC 6901 pointer. */
function nameOf(pointer: string | undefined): string | null {
  const [, name] = pointer?.split('/') ?? [];
  return name === undefined ? null : name.replaceAll('~1', '/').replaceAll('~0', '~');
}
