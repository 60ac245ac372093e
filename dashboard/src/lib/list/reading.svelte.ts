import { on } from 'svelte/events';

/** Whether the member reads an element: points at it, has the focus in it, or has scrolled into it. */
export function createReading() {
  let isPointedAt = $state(false);
  let isFocused = $state(false);
  let isScrolledInto = $state(false);

  function watch(element: HTMLElement): () => void {
    // Not `addEventListener`: removing an element with the focus sends `focusout` while Svelte renders, when state cannot be set.
    const listeners = [
      // A finger leaves no pointer behind.
      on(element, 'pointerenter', ({ pointerType }) => (isPointedAt = pointerType === 'mouse')),
      on(element, 'pointerleave', () => (isPointedAt = false)),
      on(element, 'focusin', () => (isFocused = true)),
      on(element, 'focusout', () => (isFocused = false)),
      on(window, 'scroll', () => (isScrolledInto = element.getBoundingClientRect().top < 0), {
        passive: true,
      }),
    ];
    return () => {
      for (const stop of listeners) stop();
      isPointedAt = false;
      isFocused = false;
      isScrolledInto = false;
    };
  }

  return {
    get isActive() {
      return isPointedAt || isFocused || isScrolledInto;
    },
    /** `{@attach reading.watch}` */
    watch,
  };
}
