/** Reasons that the person who releases can fix. All are found before anything is changed. */
export class ReleaseFailure extends Error {
  constructor(reasons: string[]) {
    super(reasons.join('\n'));
  }
}
