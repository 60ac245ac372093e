/** What a member typed or chose in one field, before the form was sent. */
interface TypedValue {
  /** Place among the fields of the page. */
  position: number;
  name: string;
  value: string;
  isChecked: boolean;
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Filters are in the address, and the browser must not store secrets. */
const FIELDS = 'form[method="POST" i] :is(input, textarea, select)';
const NOT_KEPT =
  '[type="hidden"], [type="password"], [autocomplete*="password"], [autocomplete="one-time-code"], [name^="secret_"]';

/** On the fields that the member has changed. The page sets it (app.html). */
const TYPED = 'data-typed';

/** A form that was sent has nothing to restore. */
export function forgetTyped(form: HTMLFormElement): void {
  for (const field of form.elements) field.removeAttribute(TYPED);
}

export function captureTyped(): TypedValue[] {
  return listFields().flatMap((field, position) =>
    field.hasAttribute(TYPED) && !field.matches(NOT_KEPT)
      ? [{ position, name: field.name, value: field.value, isChecked: isChecked(field) }]
      : [],
  );
}

/** Fills in the fields, as if the member had typed again. Skips those that the page no longer has, or that the member has changed since. */
export function restoreTyped(values: TypedValue[]): void {
  const fields = listFields();
  for (const { position, name, value, isChecked } of values) {
    const field = fields[position];
    if (field?.name !== name || field.hasAttribute(TYPED)) continue;
    if (isChoice(field)) field.checked = isChecked;
    else field.value = value;
    for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }));
  }
}

function listFields(): Control[] {
  return [...document.querySelectorAll<Control>(FIELDS)];
}

function isChoice(field: Control): field is HTMLInputElement {
  return field instanceof HTMLInputElement && ['checkbox', 'radio'].includes(field.type);
}

function isChecked(field: Control): boolean {
  return isChoice(field) && field.checked;
}
