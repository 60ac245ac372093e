/** Below this many bytes a loop beats the call into native code. */
const SHORT_TEXT_BYTES = 24;

// `ignoreBOM` keeps a leading U+FEFF in the text: it is data here, not an encoding mark.
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads `bytes[start, end)` as UTF-8; undefined when they are not valid UTF-8. */
export function readUtf8(bytes: Buffer, start: number, end: number): string | undefined {
  if (end - start <= SHORT_TEXT_BYTES) {
    const text = readShortAscii(bytes, start, end);
    if (text !== undefined) return text;
  }
  try {
    return strictUtf8.decode(bytes.subarray(start, end));
  } catch {
    return undefined;
  }
}

function readShortAscii(bytes: Buffer, start: number, end: number): string | undefined {
  let text = '';
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte > 0x7f) return undefined;
    text += String.fromCharCode(byte);
  }
  return text;
}
