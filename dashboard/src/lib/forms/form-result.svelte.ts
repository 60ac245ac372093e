import { afterNavigate } from '$app/navigation';
import { page } from '$app/state';

let kept = $state.raw<{ result: typeof page.form; href: string } | null>(null);

/** Call it in the root layout. On the server, nothing is kept. */
export function keepFormResult(): void {
  $effect.pre(() => {
    if (page.form !== null) kept = { result: page.form, href: page.url.href };
  });
  afterNavigate(() => {
    if (page.form === null) kept = null;
  });
}

/**
 * What the last form of the page returned, until the next navigation. SvelteKit also empties `page.form`, unlike the `form` of a page,
 * when the page's data is refreshed, by live updates or for another time zone. That must not discard why a form was rejected.
 */
export function formResult(): typeof page.form {
  return page.form === null && kept?.href === page.url.href ? kept.result : page.form;
}
