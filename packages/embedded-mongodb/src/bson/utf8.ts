const REPLACEMENT_CHARACTER = '\uFFFD';

// `ignoreBOM` keeps a leading U+FEFF, which is data here, not a byte order mark.
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads `bytes[start, end)` as UTF-8; undefined if they are not valid UTF-8. */
export function readUtf8(bytes: Buffer, start: number, end: number): string | undefined {
  // Much faster than the strict decoder. It inserts the replacement character where the strict decoder would fail.
  const text = bytes.toString('utf8', start, end);
  return text.includes(REPLACEMENT_CHARACTER) ? readStrictly(bytes, start, end) : text;
}

function readStrictly(bytes: Buffer, start: number, end: number): string | undefined {
  try {
    return strictUtf8.decode(bytes.subarray(start, end));
  } catch {
    return undefined;
  }
}
