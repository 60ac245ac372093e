interface Explanation {
  title: string;
  /** In place of the error's own message. */
  text?: string;
  /** The same request may go well later. */
  mayPass: boolean;
}

const BAD_REQUEST = 400;
const SERVER_ERROR = 500;

const BY_STATUS: Record<number, Explanation> = {
  403: { title: 'Your role does not allow this', mayPass: false },
  404: { title: 'There is nothing here', mayPass: false },
  413: { title: 'That is too much at once', text: 'The form holds more than can be taken.', mayPass: false },
  429: { title: 'Too many requests', mayPass: true },
  502: { title: 'A part of Tollgate does not work at the moment', mayPass: true },
  503: { title: 'A part of Tollgate does not answer', mayPass: true },
  504: { title: 'A part of Tollgate does not answer', mayPass: true },
};

/** What an error page says for a status. */
export function explain(status: number): Explanation {
  const known = BY_STATUS[status];
  if (known) return known;
  return status >= BAD_REQUEST && status < SERVER_ERROR
    ? { title: 'This request could not be served', mayPass: false }
    : {
        title: 'Something went wrong on our side',
        text: 'It is in our log. If it happens again, please report it.',
        mayPass: true,
      };
}
