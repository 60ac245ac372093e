/** A question that a dialog of the layout asks while a form waits. */
export function createQuestion() {
  let answer = $state<((isDone: boolean) => void) | null>(null);
  return {
    /** Whether the dialog is shown. */
    get isAsking() {
      return answer !== null;
    },
    /** Resolves to whether the member did what the dialog asks for. */
    ask: () =>
      new Promise<boolean>((resolve) => {
        answer = resolve;
      }),
    /** Called by the dialog. */
    answer(isDone: boolean) {
      answer?.(isDone);
      answer = null;
    },
  };
}
