import { DAY_S, HOUR_S } from '@tollgate/contracts/platform/durations';
import { WEBHOOK_TOLERANCE_S } from '@tollgate/contracts/webhooks/signature-tolerance';
import {
  parseSignatures,
  parseTimestamp,
  type ReceivedWebhook,
  type SignatureFinding,
} from './received-webhook.ts';

/** As seconds, this is after the year 5000; as milliseconds, after 1973. */
const FIRST_MILLISECONDS = 100_000_000_000;

/** Finds headers that are missing or malformed. */
export function checkHeaders({ id, timestamp, signature }: ReceivedWebhook): SignatureFinding[] {
  const findings: SignatureFinding[] = [];
  if (signature === '') {
    findings.push({
      code: 'signature-missing',
      detail:
        'The webhook-signature header is missing. Tollgate always sends it. Check for a proxy that drops headers.',
    });
  } else if (parseSignatures(signature).length === 0) {
    findings.push({ code: 'signature-malformed', detail: malformedSignature(signature) });
  }
  if (id === '') {
    findings.push({
      code: 'id-missing',
      detail:
        'The webhook-id header is missing. It is the first part of the signed content. Use the header of this request.',
    });
  }
  return [...findings, ...unreadableTimestamp(timestamp)];
}

/** Finds a timestamp that receivers reject, even if the signature is correct. */
export function checkAge(ageS: number | null): SignatureFinding[] {
  if (ageS === null || Math.abs(ageS) <= WEBHOOK_TOLERANCE_S) return [];
  if (ageS > 0) {
    return [
      {
        code: 'timestamp-too-old',
        detail: `The request was sent ${formatDuration(ageS)} ago, and receivers reject requests older than ${WEBHOOK_TOLERANCE_S / MINUTE_S} minutes. If yours rejected it on arrival, correct its clock, or verify requests before queueing them.`,
      },
    ];
  }
  return [
    {
      code: 'timestamp-in-future',
      detail: `The timestamp is ${formatDuration(-ageS)} ahead of Tollgate's clock. Tollgate did not send this timestamp, or its clock was set back.`,
    },
  ];
}

function malformedSignature(signature: string): string {
  const form =
    'A signature is "v1," followed by 44 base64 characters. Several signatures are separated by spaces.';
  if (/(^|\s)v1,/.test(signature)) {
    return `${form} The value after "v1," was truncated or decoded, or a + became a space.`;
  }
  if (/^(v1=|sha256=)?[0-9a-f]{64}$/i.test(signature)) {
    return `${form} This value is hexadecimal. Pass the header on unchanged.`;
  }
  return `${form} This header has none. Pass it on unchanged, including "v1,".`;
}

function unreadableTimestamp(timestamp: string): SignatureFinding[] {
  if (timestamp === '') {
    const detail =
      'The webhook-timestamp header is missing. It is the second part of the signed content. Use the header of this request.';
    return [{ code: 'timestamp-missing', detail }];
  }
  const seconds = parseTimestamp(timestamp);
  if (seconds === null) {
    const detail =
      'The webhook-timestamp header is not a whole number of seconds since 1970. Pass the header on unchanged, not as a date.';
    return [{ code: 'timestamp-malformed', detail }];
  }
  if (seconds >= FIRST_MILLISECONDS) {
    const detail =
      'The webhook-timestamp header is in milliseconds. Tollgate sends seconds. Do not convert the header.';
    return [{ code: 'timestamp-in-milliseconds', detail }];
  }
  return [];
}

const MINUTE_S = 60;

function formatDuration(seconds: number): string {
  const [unitS, unit] =
    seconds >= 2 * DAY_S
      ? [DAY_S, 'days']
      : seconds >= 2 * HOUR_S
        ? [HOUR_S, 'hours']
        : [MINUTE_S, 'minutes'];
  return `${Math.floor(seconds / unitS)} ${unit}`;
}
