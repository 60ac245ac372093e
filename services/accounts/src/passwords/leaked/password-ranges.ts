import { readBody } from '@tollgate/http/read-body';

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
  const response = await fetch(`${url}/${hex.slice(0, PREFIX_LENGTH)}`, {
    // Responses of one size do not reveal the range to someone who watches the encrypted connection.
    headers: { 'add-padding': 'true' },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`the range of leaked passwords has status ${response.status}`);
  }
  const rest = hex.slice(PREFIX_LENGTH);
  const { body, truncated } = await readBody(response.body ?? [], MAX_RANGE_BYTES);
  if (truncated) throw new Error(`the range of leaked passwords has over ${MAX_RANGE_BYTES} bytes`);
  return body
    .toString('latin1')
    .split(/\r?\n/)
    .some((line) => isMatch(line, rest));
}

/** `<rest of the digest>:<times it was leaked>`. Padding has a count of 0. */
function isMatch(line: string, rest: string): boolean {
  const [suffix = '', count = ''] = line.split(':');
  return suffix.toUpperCase() === rest && Number(count) > 0;
}
