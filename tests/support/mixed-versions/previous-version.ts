/** The version that the mixed-version run starts beside the current one. A release moves this tag to the version that it replaces. */
export const PREVIOUS_VERSION = 'v1.0.0';
