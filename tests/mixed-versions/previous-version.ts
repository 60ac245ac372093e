/**
 * The version that the mixed-version run starts beside the current one: a commit or a tag. A release moves it to the
 * version that it replaces.
 */
export const PREVIOUS_VERSION = '5e6e97e831268bc2ca9ec9312f8851f06a390178';
