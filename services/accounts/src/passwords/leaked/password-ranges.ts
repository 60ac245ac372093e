import { sendRequest } from '@tollgate/http/send-request';

/**
 * Where leaked passwords are searched by k-anonymity: an API such as Have I Been Pwned's, whose path ends with the first five hexadecimal
 * digits of a SHA-1 digest, and which returns the rest of each digest in that range. It learns neither the password nor its digest.
 */
export interface PasswordRanges {
  /** Without a trailing slash. */
  url: string;
  timeoutMs: number;
}

const PREFIX_LENGTH = 5;
/** A range has about 2,000 lines of 40 bytes. */
const MAX_RANGE_BYTES = 1024 * 1024;

/**
 * Resolves to whether the range of this SHA-1 digest contains it.
 *
 * @throws Error when the API does not respond in time, with another status than 200, or with too much
 */
export async function searchRange({ url, timeoutMs }: PasswordRanges, digest: Buffer): Promise<boolean> {
  const hex = digest.toString('hex').toUpperCase();
  const response = await sendRequest(new URL(`${url}/${hex.slice(0, PREFIX_LENGTH)}`), {
    method: 'GET',
    // Responses of one size do not reveal the range to someone who watches the encrypted connection.
    headers: { 'add-padding': 'true' },
    body: null,
    maxBytes: MAX_RANGE_BYTES,
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (response.status !== 200) throw new Error(`the range of leaked passwords has status ${response.status}`);
  if (response.end !== 'complete')
    throw new Error(`the range of leaked passwords breaks off, or has over ${MAX_RANGE_BYTES} bytes`);
  const rest = hex.slice(PREFIX_LENGTH);
  return response.body
    .toString('latin1')
    .split(/\r?\n/)
    .some((line) => isMatch(line, rest));
}

/** `<rest of the digest>:<times it was leaked>`. Padding has a count of 0. */
function isMatch(line: string, rest: string): boolean {
  const [suffix = '', count = ''] = line.split(':');
  return suffix.toUpperCase() === rest && Number(count) > 0;
}
