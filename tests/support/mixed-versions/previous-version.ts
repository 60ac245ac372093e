/**
 * The version that the mixed-version run starts beside the current one: the commit from which on adjacent versions run side by side.
 * The first release replaces it by its tag, and each later one by the tag of the version that it replaces.
 */
export const PREVIOUS_VERSION = '3767d08d035c5b4dce30be399b8fa7522bc3f17d';
