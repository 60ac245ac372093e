import { goto } from '$app/navigation';

/** Shows the list with the filters of the form. The focus stays, so that the member can continue to type. */
export async function applyFilters(form: HTMLFormElement): Promise<void> {
  const fields = [...new FormData(form)].filter(
    (field): field is [string, string] => typeof field[1] === 'string' && field[1].trim() !== '',
  );
  const query = new URLSearchParams(fields);
  const { pathname } = new URL(form.action);
  const address = query.size > 0 ? `${pathname}?${query}` : pathname;
  await goto(address, { reset: false, replace: true });
}
