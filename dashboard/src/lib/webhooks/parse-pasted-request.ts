/** The parts of a pasted request to verify; empty when not found. */
export interface PastedRequest {
  id: string;
  timestamp: string;
  signature: string;
  body: string;
  /** Copied text often ends with a line break, which Tollgate never sends: it is dropped. */
  isLineBreakDropped: boolean;
}

const HEADERS = { id: 'webhook-id', timestamp: 'webhook-timestamp', signature: 'webhook-signature' } as const;

/** `name: value`; in logs also `"name": "value",`. */
const HEADER_LINE = /^["']?([A-Za-z][\w-]*)["']?\s*:\s*(.*)$/;
/** The prefix of `curl -v` for sent and received lines. */
const CURL_PREFIX = /^[<>](?: |$)/;
const CURL_NOTE = /^\* /;

/**
 * Reads headers, an empty line and the body from a log, `curl -v` or a debugger. Header names are case-insensitive and
 * may have the form of CGI and Rack (`HTTP_WEBHOOK_ID`). Other headers, the request line and notes of curl are ignored.
 * Without an empty line, the body starts at the first line after the headers that opens an object.
 */
export function parsePastedRequest(text: string): PastedRequest {
  // Browsers submit every line break as CRLF.
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
