import { afterNavigate } from '$app/navigation';

/**
 * What a form has done before it redirected to this page. The server returns it once, so a live update of the page's data
 * lacks it; it stays until the member leaves the page.
 * @param read from the data of the page
 */
export function createArrival<Flash>(read: () => Flash | null): { readonly flash: Flash | null } {
  let flash = $state(read());
  afterNavigate(() => {
    flash = read();
  });
  return {
    get flash() {
      return flash;
    },
  };
}
