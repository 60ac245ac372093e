import type { SubmitFunction } from '$app/forms';

/** Enhances a form to `/theme`: the page changes at once, and the server remembers it. */
export const applyTheme: SubmitFunction = ({ formData }) => {
  const chosen = String(formData.get('theme'));
  if (chosen === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = chosen;
  return ({ update }) => update({ reset: false });
};
