/** Whether the member reads an element: points at it, has the focus in it, or has scrolled into it. */
export interface Reading {
  readonly isActive: boolean;
  /** `{@attach reading.watch}` */
  watch: (element: HTMLElement) => () => void;
}

export function createReading(): Reading {
  let isPointedAt = $state(false);
  let isFocused = $state(false);
  let isScrolledInto = $state(false);

  function watch(element: HTMLElement): () => void {
    const ended = new AbortController();
    const { signal } = ended;
    // A finger leaves no pointer behind.
    element.addEventListener('pointerenter', ({ pointerType }) => (isPointedAt = pointerType === 'mouse'), {
      signal,
    });
    element.addEventListener('pointerleave', () => (isPointedAt = false), { signal });
    element.addEventListener('focusin', () => (isFocused = true), { signal });
    element.addEventListener('focusout', () => (isFocused = false), { signal });
    window.addEventListener('scroll', () => (isScrolledInto = element.getBoundingClientRect().top < 0), {
      signal,
      passive: true,
    });
    return () => {
      ended.abort();
      isPointedAt = false;
      isFocused = false;
      isScrolledInto = false;
    };
  }

  return {
    get isActive() {
      return isPointedAt || isFocused || isScrolledInto;
    },
    watch,
  };
}
