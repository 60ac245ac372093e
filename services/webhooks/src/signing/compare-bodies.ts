import { isDeepStrictEqual } from 'node:util';
import type { SignatureFinding } from './signature-finding.ts';

/** Bytes shown of either body from where they differ. */
const SHOWN_BYTES = 24;

/** How a received body differs from the one that was sent; null when it does not. */
export function compareBodies(received: string, sent: string): SignatureFinding | null {
  if (received === sent) return null;
  if (received === '') {
    return {
      code: 'body-empty',
      detail: 'The body is empty. Something read it before: take the raw body before a parser consumes it.',
    };
  }
  if (received.replace(/[\r\n]+$/, '') === sent) {
    return {
      code: 'body-trailing-line-break',
      detail:
        'The body ends with a line break that was not sent. Verify the bytes as they came, with nothing appended.',
    };
  }
  if (isMisread(received, sent)) {
    return {
      code: 'body-wrong-charset',
      detail: 'The body was read as Latin-1, and it is UTF-8. Verify the bytes, or decode them as UTF-8.',
    };
  }
  if (isSameJson(received, sent)) {
    return {
      code: 'body-reserialized',
      detail:
        'The body is the same JSON written differently: it was parsed and written again. Verify the raw body before it is parsed; spaces, the order of fields and escapes all count.',
    };
  }
  return { code: 'body-differs', detail: firstDifference(Buffer.from(received), Buffer.from(sent)) };
}

/** `latin1` of the Encoding Standard is windows-1252, that of Node ISO 8859-1: programs use the one or the other. */
function isMisread(received: string, sent: string): boolean {
  const bytes = Buffer.from(sent);
  return received === bytes.toString('latin1') || received === new TextDecoder('windows-1252').decode(bytes);
}

function isSameJson(received: string, sent: string): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(received), JSON.parse(sent));
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

function firstDifference(received: Buffer, sent: Buffer): string {
  const length = Math.min(received.length, sent.length);
  let same = 0;
  while (same < length && received[same] === sent[same]) same += 1;
  if (same === received.length)
    return `The body ends after ${same} of the ${sent.length} bytes that were sent. Read all of it before verifying.`;
  if (same === sent.length)
    return `The body goes on after the ${sent.length} bytes that were sent, with ${shown(received, same)}.`;
  return `The body is not the one that was sent for this event. It differs from byte ${same + 1} on: ${shown(received, same)} where ${shown(sent, same)} was sent.`;
}

function shown(bytes: Buffer, from: number): string {
  return `“${bytes.subarray(from, from + SHOWN_BYTES).toString('utf8')}”`;
}
