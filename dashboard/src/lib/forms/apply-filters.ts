import { queryWithoutSecrets } from '#lib/credentials/credential.ts';
import { afterNavigate, goto } from '$app/navigation';

/** Shows the list with the filters of the form. The focus stays, so that the member can continue to type. */
export async function applyFilters(form: HTMLFormElement): Promise<void> {
  const fields = [...new FormData(form)].filter(
    (field): field is [string, string] => typeof field[1] === 'string' && field[1].trim() !== '',
  );
  const query = queryWithoutSecrets(fields);
  // Not `form.action`: a field can have that name.
  const pathname = form.getAttribute('action') ?? '';
  const address = query.size > 0 ? `${pathname}?${query}` : pathname;
  if (address === location.pathname + location.search) return;
  await goto(address, { reset: false, replace: true });
}

/** Applies what the member chose before the scripts ran. Call it during component initialization. */
export function applyEarlyChoices(formOf: () => HTMLFormElement | null): void {
  afterNavigate(({ type }) => {
    const form = formOf();
    if (type !== 'enter' || form === null) return;
    const query = new URLSearchParams(location.search);
    if ([...form.elements].some((field) => isChanged(field, query))) void applyFilters(form);
  });
}

/** Svelte removes the default value of an input, so it is compared with the address. */
function isChanged(field: Element, query: URLSearchParams): boolean {
  if (field instanceof HTMLSelectElement)
    return [...field.selectedOptions].some(({ defaultSelected, value }) => !defaultSelected && value !== '');
  if (!(field instanceof HTMLInputElement) || field.type === 'hidden') return false;
  // As the field shows it: a date field shows nothing for a date that does not exist, whose error must stay.
  const unchanged = field.cloneNode() as HTMLInputElement;
  unchanged.value = query.get(field.name) ?? '';
  return field.value.trim() !== unchanged.value.trim();
}
