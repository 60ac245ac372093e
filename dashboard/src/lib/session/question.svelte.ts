/** A question that a dialog of the layout asks while a form waits. */
export interface Question {
  /** Whether the dialog is shown. */
  readonly isAsking: boolean;
  /** Resolves to whether the member did what the dialog asks for. */
  ask(): Promise<boolean>;
  /** Called by the dialog. */
  answer(isDone: boolean): void;
}

export function createQuestion(): Question {
  let answer = $state<((isDone: boolean) => void) | null>(null);
  return {
    get isAsking() {
      return answer !== null;
    },
    ask: () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
    answer(isDone) {
      answer?.(isDone);
      answer = null;
    },
  };
}
