const ELLIPSIS = '…';
/** Less of the end says nothing. */
const MIN_TAIL_LENGTH = 8;

/**
 * A URL that fits: the host and the end of the path stay, because endpoints of one host differ at the end. Without `https://`, which goes without
 * saying.
 */
export function shortenUrl(url: string, maxLength = 40): string {
  const text = url.replace(/^https:\/\//, '');
  if (text.length <= maxLength) return text;
  const originLength = text.replace(/^http:\/\//, '-------').indexOf('/') + 1;
  const longestHead = maxLength - ELLIPSIS.length - MIN_TAIL_LENGTH;
  const headLength = originLength > 0 ? Math.min(originLength, longestHead) : longestHead;
  return text.slice(0, headLength) + ELLIPSIS + text.slice(headLength + ELLIPSIS.length - maxLength);
}
