interface Explanation {
  title: string;
  /** Shown instead of the error's own message. */
  text?: string;
  /** Whether the same request may succeed later. */
  mayPass: boolean;
}

const BAD_REQUEST = 400;
const SERVER_ERROR = 500;

const BY_STATUS: Record<number, Explanation> = {
  403: { title: 'Insufficient role', mayPass: false },
  404: { title: 'Page not found', mayPass: false },
  413: {
    title: 'Request too large',
    text: 'The form contains too much data. Shorten it and try again.',
    mayPass: false,
  },
  429: { title: 'Too many requests', mayPass: true },
  502: { title: 'Service error', mayPass: true },
  503: { title: 'Service unavailable', mayPass: true },
  504: { title: 'Service unavailable', mayPass: true },
};

/** What an error page says for an HTTP status. */
export function explain(status: number): Explanation {
  const known = BY_STATUS[status];
  if (known) return known;
  return status >= BAD_REQUEST && status < SERVER_ERROR
    ? { title: 'Request rejected', mayPass: false }
    : {
        title: 'Internal server error',
        text: 'The error was logged. If it happens again, report it.',
        mayPass: true,
      };
}
