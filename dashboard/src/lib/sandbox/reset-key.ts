/** Dependency key of the load that shows the progress of a reset. */
export const RESET_KEY = 'tollgate:sandbox-reset';
