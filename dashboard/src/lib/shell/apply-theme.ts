import type { SubmitFunction } from '$app/forms';
import { refreshAll } from '$app/navigation';

/** Enhances a form that posts to `/theme`: the page changes immediately, and the server remembers the theme. */
export const applyTheme: SubmitFunction = ({ formData }) => {
  const chosen = String(formData.get('theme'));
  if (chosen === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = chosen;
  // The response redirects to this page. Following it would move the focus to the top.
  return ({ result, update }) => (result.type === 'redirect' ? refreshAll() : update({ reset: false }));
};
