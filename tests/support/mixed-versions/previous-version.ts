/**
 * The version that the mixed-version run starts beside the current one: the commit from which on adjacent versions run side by side.
 * The first release replaces it by its tag, and each later one by the tag of the version that it replaces.
 */
export const PREVIOUS_VERSION = 'ad813d4a8ee9e963a3971c716463422967489561';
