/** A call that the adapter does not carry out. The message says what happened, why, and what to do. */
export class AdapterError extends Error {
  readonly status: 400 | 401 | 413 | 502 | 503 | 504;

  constructor(status: AdapterError['status'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'AdapterError';
    this.status = status;
  }
}
