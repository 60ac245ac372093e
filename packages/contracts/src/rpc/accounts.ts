// The methods of accounts, by topic.

export * from './accounts/account.ts';
export * from './accounts/actors.ts';
export * from './accounts/installation.ts';
export * from './accounts/invitations.ts';
export * from './accounts/logins.ts';
export * from './accounts/message-templates.ts';
export * from './accounts/passkeys.ts';
export * from './accounts/password-resets.ts';
export * from './accounts/sessions.ts';
export * from './accounts/sign-in.ts';
export * from './accounts/single-sign-on.ts';
export * from './accounts/tamper-notices.ts';
export * from './accounts/team.ts';
export * from './accounts/team-chat.ts';
export * from './accounts/tokens.ts';
