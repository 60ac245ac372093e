/** A value of `application/x-www-form-urlencoded` with brackets, as Stripe reads it: everything is text. */
export type FormValue = string | FormValue[] | { [key: string]: FormValue };
export type Form = { [key: string]: FormValue };

/** `a[b][0]=c` → `{ a: { b: ['c'] } }` */
export function parseForm(text: string): Form {
  const form: Form = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split('[').map((part) => part.replace(/\]$/, ''));
    let parent: Record<string, FormValue> = form;
    for (const key of path.slice(0, -1)) {
      parent[key] ??= {};
      parent = parent[key] as Record<string, FormValue>;
    }
    parent[path.at(-1) as string] = value;
  }
  return form;
}

export function textOf(form: Form, name: string): string | null {
  const value = form[name];
  return typeof value === 'string' ? value : null;
}

export function formOf(form: Form, name: string): Form {
  const value = form[name];
  return typeof value === 'object' ? (value as Form) : {};
}
