/** The mongod this server behaves as. */
export const SERVER_VERSION = '7.0.14';
export const SERVER_VERSION_PARTS = [7, 0, 14, 0] as const;
