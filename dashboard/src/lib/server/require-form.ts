import { error } from '@sveltejs/kit';

/**
 * Returns the fields of a form that was posted. Rejects a POST without a form: SvelteKit compares the origin of forms only,
 * and a script of another site can post nothing at all.
 */
export async function requireForm(request: Request): Promise<URLSearchParams> {
  if (request.headers.get('content-type')?.split(';')[0]?.trim() !== 'application/x-www-form-urlencoded')
    error(415, 'Use the form on the page.');
  return new URLSearchParams(await request.text());
}
