const TITLES: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized Request',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  410: 'Gone',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

export interface MollieResponse {
  status: number;
  body: object;
  headers?: Record<string, string>;
}

/** An error of Mollie: https://docs.mollie.com/reference/handling-errors */
export class MollieProblem extends Error {
  readonly response: MollieResponse;

  constructor(status: number, detail: string, field?: string) {
    super(detail);
    const documentation = { href: 'https://docs.mollie.com/errors', type: 'text/html' };
    this.response = {
      status,
      body: { status, title: TITLES[status], detail, ...(field && { field }), _links: { documentation } },
    };
  }
}
