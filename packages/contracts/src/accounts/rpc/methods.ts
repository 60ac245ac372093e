// All methods of accounts. The other files have them by topic.

export * from './account.ts';
export * from './sign-in.ts';
export * from './team.ts';
export * from './tokens.ts';
