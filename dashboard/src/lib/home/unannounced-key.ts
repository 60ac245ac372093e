/** Dependency key of what the home page shows and no live update announces: usage, API errors, and keys. */
export const UNANNOUNCED_KEY = 'tollgate:unannounced';
