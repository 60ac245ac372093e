const ELLIPSIS = '…';

/**
 * A URL that fits: the host and the end of the path stay, because endpoints of one host differ at the end. Without `https://`, which goes without
 * saying.
 */
export function shortenUrl(url: string, maxLength = 40): string {
  const text = url.replace(/^https:\/\//, '');
  if (text.length <= maxLength) return text;
  const tailLength = Math.floor((maxLength - ELLIPSIS.length) / 2);
  return text.slice(0, maxLength - ELLIPSIS.length - tailLength) + ELLIPSIS + text.slice(-tailLength);
}
