import type { DeliveryAttempt } from '@tollgate/contracts/webhooks/webhook';

type ErrorCode = NonNullable<DeliveryAttempt['error']>['code'];

/** What happened in an attempt, in a few words, and what to do about it: `advice` is null when no action is needed. */
export function explainAttempt({ error, response }: Pick<DeliveryAttempt, 'error' | 'response'>) {
  if (error === null || error.code === 'status') {
    const status = response?.status ?? 0;
    return { title: `${status} response`, advice: error === null ? null : adviceOnStatus(status) };
  }
  return NO_RESPONSE[error.code];
}

const NO_RESPONSE: Record<Exclude<ErrorCode, 'status'>, { title: string; advice: string }> = {
  refused: {
    title: 'Blocked by the address policy',
    advice:
      'No connection was made. Use a URL with a public address. In live, the URL must use HTTPS on port 443 or 8443.',
  },
  dns: {
    title: 'Host name not found',
    advice: 'Check the spelling of the host in the URL, and that its DNS record is public.',
  },
  connection: {
    title: 'Connection failed',
    advice:
      'Check that a server listens on this address and port, and that its firewall allows incoming requests.',
  },
  tls: {
    title: 'TLS connection failed',
    advice:
      'Check that the server supports TLS on this port, with a valid certificate for this host name and the full certificate chain.',
  },
  timeout: {
    title: 'Timed out after 15 s',
    advice: 'Return 2xx as soon as the webhook is stored, and do the work afterwards.',
  },
  protocol: {
    title: 'Invalid HTTP response',
    advice: 'Fix what the server sends. If it does not use HTTP, check the port of the URL.',
  },
  'event-gone': {
    title: 'Event no longer kept',
    advice:
      'The event is past its retention period and cannot be sent. Read the payment to get its current state.',
  },
};

function adviceOnStatus(status: number): string {
  switch (status) {
    case 401:
    case 403:
      return 'A proxy or firewall denied the request. Allow requests to this path without credentials, and verify the signature instead.';
    case 404:
    case 405:
      return 'Check the path of the URL, and that it accepts POST.';
    case 410:
      return 'The endpoint was disabled because of this response. If that was a mistake, enable it again.';
    case 413:
      return 'Configure the receiver to accept bodies of at least 64 KiB.';
    case 429:
      return 'The receiver is rate limiting requests. Its Retry-After is respected, up to twice the delay.';
  }
  if (status >= 500) return 'The receiver failed. Search its logs for the webhook-id.';
  if (status >= 400)
    return 'The receiver rejected the request. If signature verification failed, use the Verify page to find out why.';
  if (status >= 300) return 'Redirects are not followed. Set the endpoint URL to the redirect target.';
  return 'Only a 2xx response counts as delivered.';
}
