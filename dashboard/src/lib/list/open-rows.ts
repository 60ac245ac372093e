/**
 * A click anywhere in a row of the table opens its record, as a click on its link does. The link itself does not cover
 * the row, so that its text can be selected.
 */
export function openRows(table: HTMLTableElement): () => void {
  table.addEventListener('click', openRow);
  table.addEventListener('auxclick', openRow);
  return () => {
    table.removeEventListener('click', openRow);
    table.removeEventListener('auxclick', openRow);
  };
}

const MIDDLE_BUTTON = 1;

function openRow(event: MouseEvent): void {
  const { target, button } = event;
  if (!(target instanceof Element) || target.closest('a, button, input, label, summary, td.select')) return;
  if (button > MIDDLE_BUTTON || document.getSelection()?.type === 'Range') return;
  const link = target.closest('tr')?.querySelector('.row-target');
  // The same event with its keys, so that Ctrl and the middle button open a new tab.
  link?.dispatchEvent(new MouseEvent(event.type, event));
}
