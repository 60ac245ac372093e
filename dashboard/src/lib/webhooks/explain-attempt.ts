import type { DeliveryAttempt } from '@tollgate/contracts/webhook';

export interface AttemptExplanation {
  /** What happened, in a few words. */
  title: string;
  /** What to do about it; null when nothing is to be done. */
  advice: string | null;
}

type ErrorCode = NonNullable<DeliveryAttempt['error']>['code'];

/** What an attempt came to, and what to do about it. */
export function explainAttempt({
  error,
  response,
}: Pick<DeliveryAttempt, 'error' | 'response'>): AttemptExplanation {
  if (error === null || error.code === 'status') {
    const status = response?.status ?? 0;
    return { title: `Answered ${status}`, advice: error === null ? null : adviceOnStatus(status) };
  }
  return NO_ANSWER[error.code];
}

const NO_ANSWER: Record<Exclude<ErrorCode, 'status'>, AttemptExplanation> = {
  refused: {
    title: 'Refused by the address policy',
    advice:
      'Nothing was connected to. Give the endpoint a URL that leads to a public address; in live it must be https on port 443 or 8443.',
  },
  dns: {
    title: 'Host name not found',
    advice:
      'Check how the host of the URL is spelled, and that its DNS record can be seen from the internet.',
  },
  connection: {
    title: 'No connection',
    advice: 'Check that a server listens at this address and port, and that its firewall lets requests in.',
  },
  tls: {
    title: 'No secure connection',
    advice:
      'Check that the server speaks TLS at this port, with a certificate that is valid now, is for this host name, and comes with its whole chain.',
  },
  timeout: {
    title: 'No complete answer within 15 s',
    advice: 'Answer 2xx as soon as the webhook is stored, and do the work afterwards.',
  },
  protocol: {
    title: 'The answer is not HTTP',
    advice: 'Check the port of the URL: something else than a web server has answered.',
  },
  'event-gone': {
    title: 'The event is kept no longer',
    advice: 'Nothing was sent, and nothing can be. Read the payment itself to see how it is now.',
  },
};

function adviceOnStatus(status: number): string {
  switch (status) {
    case 401:
    case 403:
      return 'Something in front of the receiver turned it away. Let requests to this path in without credentials; the signature says who sends them.';
    case 404:
    case 405:
      return 'Check the path of the URL, and that it takes POST.';
    case 410:
      return 'By this the receiver says that it wants nothing more: the endpoint was disabled. Enable it when that was a mistake.';
    case 413:
      return 'Let the receiver take bodies of 64 KiB at least.';
    case 429:
      return 'The receiver wants fewer requests. Its Retry-After is respected, up to twice the pause.';
  }
  if (status >= 500) return 'The receiver failed. Look for the webhook-id in its logs.';
  if (status >= 400)
    return 'The receiver did not accept it. When its signature check refused it, the Verify page finds out why.';
  if (status >= 300) return 'Redirects are not followed. Give the endpoint the URL that this one leads to.';
  return 'Only an answer of 2xx counts as delivered.';
}
