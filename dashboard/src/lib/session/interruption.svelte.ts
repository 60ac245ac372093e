import type { ActionResult } from '$app/forms';

let answer = $state<((isSignedIn: boolean) => void) | null>(null);

/** The end of the session while the member fills in a form. The layout shows the dialog. */
export const sessionEnd = {
  get isAsking(): boolean {
    return answer !== null;
  },

  /** Asks the member to sign in again. Resolves to whether they did. */
  ask(): Promise<boolean> {
    return new Promise((resolve) => {
      answer = resolve;
    });
  },

  answer(isSignedIn: boolean): void {
    answer?.(isSignedIn);
    answer = null;
  },
};

/** Only a session that has ended leads to a sign-in that returns here. */
export function isSessionEnd(result: ActionResult): boolean {
  return result.type === 'redirect' && result.location.startsWith('/sign-in?next=');
}
