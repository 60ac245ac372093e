import type { SubmitFunction } from '$app/forms';
import { refreshAll } from '$app/navigation';

/** Enhances a form to `/theme`: the page changes at once, and the server remembers it. */
export const applyTheme: SubmitFunction = ({ formData }) => {
  const chosen = String(formData.get('theme'));
  if (chosen === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = chosen;
  // The response leads back here. To go there would move the focus to the top of the page.
  return ({ result, update }) => (result.type === 'redirect' ? refreshAll() : update({ reset: false }));
};
