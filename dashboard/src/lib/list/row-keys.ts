const ROWS = '[data-records] .row-target';
const TYPING = 'input, select, textarea, [contenteditable], dialog, [role="dialog"]';

/** `j` moves the focus to the next row of the list, and `k` to the previous one. */
export function focusRows(event: KeyboardEvent): void {
  const { key, target } = event;
  if (key !== 'j' && key !== 'k') return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (target instanceof Element && target.closest(TYPING)) return;
  const rows = [...document.querySelectorAll<HTMLElement>(ROWS)];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const next = key === 'j' ? at + 1 : Math.max(at - 1, 0);
  rows[next]?.focus();
}
