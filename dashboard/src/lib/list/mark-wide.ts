/** Marks the frame of a table that is wider: it scrolls sideways, and the header does not stay in view. */
export function markWide(frame: HTMLElement): () => void {
  const table = frame.querySelector('table') as HTMLTableElement;
  const observer = new ResizeObserver(() =>
    frame.classList.toggle('wide', table.offsetWidth > frame.clientWidth),
  );
  observer.observe(frame);
  observer.observe(table);
  return () => observer.disconnect();
}
