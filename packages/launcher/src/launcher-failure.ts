/** A failure whose message tells the user everything. Shown without a stack trace. */
export class LauncherFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LauncherFailure';
  }
}
