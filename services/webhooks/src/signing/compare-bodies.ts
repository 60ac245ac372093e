import { isDeepStrictEqual } from 'node:util';
import type { SignatureFinding } from './received-webhook.ts';

/** Bytes of either body that are shown from the first difference on. */
const SHOWN_BYTES = 24;

/** Explains how a received body differs from the one that was sent. Null when it does not. */
export function compareBodies(received: string, sent: string): SignatureFinding | null {
  if (received === sent) return null;
  if (received === '') {
    return {
      code: 'body-empty',
      detail:
        'The body is empty. It may have been consumed by a parser. Read the raw body before any parser does.',
    };
  }
  if (received.replace(/[\r\n]+$/, '') === sent) {
    return {
      code: 'body-trailing-line-break',
      detail: 'The body ends with a line break that was not sent. Verify the bytes exactly as received.',
    };
  }
  if (isMisread(received, sent)) {
    return {
      code: 'body-wrong-charset',
      detail:
        'The body was decoded as Latin-1, but it is UTF-8. Verify the raw bytes, or decode them as UTF-8.',
    };
  }
  if (isSameJson(received, sent)) {
    return {
      code: 'body-reserialized',
      detail:
        'The body is the same JSON with different formatting: it was parsed and serialized again. Verify the raw body before parsing it. Whitespace, field order, and escapes all matter.',
    };
  }
  return { code: 'body-differs', detail: firstDifference(Buffer.from(received), Buffer.from(sent)) };
}

/** `latin1` is windows-1252 in the Encoding Standard and ISO 8859-1 in Node. Programs use either. */
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
    return `The body ends after ${same} of the ${sent.length} bytes that were sent. Read the whole body before verifying it.`;
  if (same === sent.length)
    return `The body continues after the ${sent.length} bytes that were sent, with ${shown(received, same)}.`;
  return `The body is not the one that was sent for this event. It differs from byte ${same + 1} on: ${shown(received, same)} instead of ${shown(sent, same)}.`;
}

function shown(bytes: Buffer, from: number): string {
  return `“${bytes.subarray(from, from + SHOWN_BYTES).toString('utf8')}”`;
}
