/**
 * The version that the mixed-version run starts beside the current one: a commit or a tag. A release moves it to the
 * version that it replaces.
 */
export const PREVIOUS_VERSION = '3103bd503501fbe1266f91dbba03c90512b70206';
