const REPLACEMENT_CHARACTER = '\uFFFD';

// `ignoreBOM` keeps a leading U+FEFF in the text: it is data here, not an encoding mark.
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads `bytes[start, end)` as UTF-8; undefined when they are not valid UTF-8. */
export function readUtf8(bytes: Buffer, start: number, end: number): string | undefined {
  // Much faster than the strict decoder, and puts the replacement character wherever that would have failed.
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
