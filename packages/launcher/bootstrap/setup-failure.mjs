/** A failure with a known cause and remedy: its message is all that the person needs to see, so it is shown without a stack trace. */
export class SetupFailure extends Error {
  /**
   * @param {string} what what failed, one sentence
   * @param {string[]} remedies what to do about it, one line each
   */
  constructor(what, remedies) {
    super([what, ...remedies.map((remedy) => `  ${remedy}`)].join('\n'));
    this.name = 'SetupFailure';
  }
}
