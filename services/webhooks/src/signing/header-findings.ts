import { DAY_S, HOUR_S } from '@tollgate/contracts/durations';
import { parseSignatures, parseTimestamp, type ReceivedWebhook } from './received-webhook.ts';
import type { SignatureFinding } from './signature-finding.ts';

/** Standard Webhooks: what is further off is rejected, so that nobody sends again what they have listened to. */
const TOLERANCE_S = 5 * 60;

/** From here on a number of seconds is after the year 5000, and one of milliseconds after 1973. */
const FIRST_MILLISECONDS = 100_000_000_000;

/** Headers that are missing or unreadable, whatever they should have said. */
export function headerFindings({ id, timestamp, signature }: ReceivedWebhook): SignatureFinding[] {
  const findings: SignatureFinding[] = [];
  if (signature === '') {
    findings.push({
      code: 'signature-missing',
      detail: 'There is no webhook-signature. Tollgate always sends it: look for a proxy that drops headers.',
    });
  } else if (parseSignatures(signature).length === 0) {
    findings.push({ code: 'signature-malformed', detail: malformedSignature(signature) });
  }
  if (id === '') {
    findings.push({
      code: 'id-missing',
      detail:
        'There is no webhook-id. It is the first part of what is signed: use the header of this request.',
    });
  }
  return [...findings, ...unreadableTimestamp(timestamp)];
}

/** A readable timestamp that receivers reject, even where the signature is right. */
export function ageFindings(ageS: number | null): SignatureFinding[] {
  if (ageS === null || Math.abs(ageS) <= TOLERANCE_S) return [];
  if (ageS > 0) {
    return [
      {
        code: 'timestamp-too-old',
        detail: `It was sent ${inWords(ageS)} ago, and receivers reject what is older than 5 minutes. If yours rejected it when it came, set its clock, or verify before the request waits in a queue.`,
      },
    ];
  }
  return [
    {
      code: 'timestamp-in-future',
      detail: `Its timestamp is ${inWords(-ageS)} ahead of Tollgate's clock. Tollgate did not send it with that timestamp, or the clock here was set back.`,
    },
  ];
}

function malformedSignature(signature: string): string {
  const form = 'A signature is v1, and 44 characters of base64; there may be several with a space between.';
  if (/(^|\s)v1,/.test(signature)) {
    return `${form} What follows v1, here is something else: it was cut off, decoded, or + became a space.`;
  }
  if (/^(v1=|sha256=)?[0-9a-f]{64}$/i.test(signature)) {
    return `${form} This is hexadecimal: pass on the header as it came.`;
  }
  return `${form} This header has none: pass it on as it came, with v1, in front.`;
}

function unreadableTimestamp(timestamp: string): SignatureFinding[] {
  if (timestamp === '') {
    const detail = 'There is no webhook-timestamp. It is the second part of what is signed: use the header.';
    return [{ code: 'timestamp-missing', detail }];
  }
  const seconds = parseTimestamp(timestamp);
  if (seconds === null) {
    const detail =
      'The webhook-timestamp is no whole number of seconds since 1970. Pass on the header as it came, not as a date.';
    return [{ code: 'timestamp-malformed', detail }];
  }
  if (seconds >= FIRST_MILLISECONDS) {
    const detail =
      'The webhook-timestamp is in milliseconds. Tollgate sends seconds: do not convert the header.';
    return [{ code: 'timestamp-in-milliseconds', detail }];
  }
  return [];
}

const MINUTE_S = 60;

function inWords(seconds: number): string {
  const [unitS, unit] =
    seconds >= 2 * DAY_S
      ? [DAY_S, 'days']
      : seconds >= 2 * HOUR_S
        ? [HOUR_S, 'hours']
        : [MINUTE_S, 'minutes'];
  return `${Math.floor(seconds / unitS)} ${unit}`;
}
