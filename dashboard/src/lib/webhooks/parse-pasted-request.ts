/** What of a pasted request is checked. Empty where it was not found. */
export interface PastedRequest {
  id: string;
  timestamp: string;
  signature: string;
  body: string;
  /** Copied text ends with a line break more often than not, and Tollgate sends none: it is left out. */
  isLineBreakDropped: boolean;
}

const HEADERS = { id: 'webhook-id', timestamp: 'webhook-timestamp', signature: 'webhook-signature' } as const;

/** `name: value`; in logs also `"name": "value",`. */
const HEADER_LINE = /^["']?([A-Za-z][\w-]*)["']?\s*:\s*(.*)$/;
/** What `curl -v` writes before what it has sent and received. */
const CURL_PREFIX = /^[<>](?: |$)/;
const CURL_NOTE = /^\* /;

/**
 * Reads headers, an empty line and the body from a log, `curl -v` or a debugger. Names are taken in any case, and as CGI and Rack write them
 * (`HTTP_WEBHOOK_ID`); other headers, the request line and notes of curl count for nothing. Where the empty line is missing the body begins with
 * the first line that opens an object after the headers.
 */
export function parsePastedRequest(text: string): PastedRequest {
  // Forms send every line break as two characters, whatever was pasted.
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const found: Partial<Record<string, string>> = {};
  let next = 0;
  for (; next < lines.length; next += 1) {
    const line = (lines[next] as string).replace(CURL_PREFIX, '').trim();
    const hasHeaders = Object.keys(found).length > 0;
    if (line === '' && hasHeaders) {
      next += 1;
      break;
    }
    if (line.startsWith('{') && (hasHeaders || line !== '{')) break;
    if (CURL_NOTE.test(line)) continue;
    const [, name, value] = HEADER_LINE.exec(line) ?? [];
    if (name !== undefined && value !== undefined) found[nameOf(name)] = unquoted(value);
  }
  const pastedBody = lines.slice(next).join('\n');
  const body = pastedBody.replace(/\n+$/, '');
  return {
    id: found[HEADERS.id] ?? '',
    timestamp: found[HEADERS.timestamp] ?? '',
    signature: found[HEADERS.signature] ?? '',
    body,
    isLineBreakDropped: body !== pastedBody,
  };
}

function nameOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('_', '-')
    .replace(/^http-/, '');
}

function unquoted(value: string): string {
  const quoted = /^(["'])(.*)\1,?$/.exec(value);
  return quoted ? (quoted[2] as string) : value;
}
