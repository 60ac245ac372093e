const ELLIPSIS = '…';
/** A shorter end would not identify the endpoint. */
const MIN_TAIL_LENGTH = 8;

/**
 * Shortens a URL and keeps the host and the end of the path, because endpoints of one host differ at the end. Omits
 * `https://`.
 */
export function shortenUrl(url: string, maxLength = 40): string {
  const text = url.replace(/^https:\/\//, '');
  if (text.length <= maxLength) return text;
  const originLength = text.replace(/^http:\/\//, '-------').indexOf('/') + 1;
  const longestHead = maxLength - ELLIPSIS.length - MIN_TAIL_LENGTH;
  const headLength = originLength > 0 ? Math.min(originLength, longestHead) : longestHead;
  return text.slice(0, headLength) + ELLIPSIS + text.slice(headLength + ELLIPSIS.length - maxLength);
}
