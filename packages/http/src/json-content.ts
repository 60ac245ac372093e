import { Problem } from '@tollgate/contracts/platform/problem';

/** The headers of a body, as Node reads them. */
export interface ContentHeaders {
  contentType: string | undefined;
  contentEncoding: string | undefined;
}

const JSON_TYPE = 'application/json';
/** The value may be quoted (RFC 9110 §5.6.6). Each part matches in only one way, so a header of only spaces takes linear time. */
const CHARSET = /;[ \t]*charset=("[^"]*"|[^\s;]*)/gi;
/** The name of the charset, and what many clients write. */
const UTF_8 = /^"?utf-?8"?$/i;

/**
 * Rejects a body that is not JSON as it is sent. JSON has no parameters, so that they have no effect (RFC 8259 §11), except
 * that a body in another charset than UTF-8 cannot be read (§8.1).
 *
 * @throws Problem `unsupported-media-type`
 */
export function requireJson({ contentType, contentEncoding }: ContentHeaders): void {
  if (contentType === undefined) throw unsupported('The body has no Content-Type. Send application/json.');
  const [type = ''] = contentType.split(';', 1);
  if (type.trim().toLowerCase() !== JSON_TYPE)
    throw unsupported('The Content-Type of the body must be application/json.');
  const charsets = [...contentType.matchAll(CHARSET)];
  if (!charsets.every(([, charset = '']) => UTF_8.test(charset)))
    throw unsupported('The charset of the body must be UTF-8.');
  if (contentEncoding !== undefined && contentEncoding.trim().toLowerCase() !== 'identity')
    throw unsupported('The body must be sent without a Content-Encoding.');
}

function unsupported(detail: string): Problem {
  return new Problem('unsupported-media-type', detail);
}
