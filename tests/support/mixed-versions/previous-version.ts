/**
 * The version that the mixed-version run starts beside the current one: the commit from which on adjacent versions run side by side.
 * The first release replaces it by its tag, and each later one by the tag of the version that it replaces.
 */
export const PREVIOUS_VERSION = 'a566288de28c7c792ed74f31625d5df57e43f437';
