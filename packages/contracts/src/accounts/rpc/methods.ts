// All methods of accounts. The other files have them by topic.

export * from './account.ts';
export * from './actors.ts';
export * from './installation.ts';
export * from './invitations.ts';
export * from './logins.ts';
export * from './passkeys.ts';
export * from './password-resets.ts';
export * from './sessions.ts';
export * from './sign-in.ts';
export * from './single-sign-on.ts';
export * from './tamper-notices.ts';
export * from './team.ts';
export * from './team-chat.ts';
export * from './tokens.ts';
