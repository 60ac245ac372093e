/** A failure with a known cause and remedy. Its message says everything, so it is shown without a stack trace. */
export class SetupFailure extends Error {
  /**
   * @param {string} what what failed, in one sentence
   * @param {string[]} remedies what to do, one line each
   */
  constructor(what, remedies) {
    super([what, ...remedies.map((remedy) => `  ${remedy}`)].join('\n'));
    this.name = 'SetupFailure';
  }
}
