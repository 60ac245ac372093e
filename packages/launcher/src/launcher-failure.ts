/** A failure whose message tells a person all that is needed: shown without a stack trace. */
export class LauncherFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LauncherFailure';
  }
}
