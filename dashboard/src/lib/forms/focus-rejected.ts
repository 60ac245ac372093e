import { tick } from 'svelte';

/**
 * Moves the focus to the first rejected field of a form, where the member continues. Call it when the page has the outcome. Without
 * JavaScript, the browser does this (`Field.svelte`).
 */
export async function focusRejected(form: HTMLFormElement): Promise<void> {
  await tick();
  form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}
