import { createPrivateKey, createPublicKey } from 'node:crypto';
import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import { isId } from '@tollgate/contracts/platform/ids';
import { LOOPBACK_HOSTS } from '@tollgate/contracts/platform/loopback-hosts';
import { networks, platformPorts } from '@tollgate/outbound/network-variable';
import {
  ConfigError,
  type Environment,
  flag,
  origin,
  readConfig,
  type Variable,
} from '@tollgate/runtime/config';
import { keyring, parsePemKeys, signer, verifierVariables } from '@tollgate/security/key-variables';
import { serviceVariables } from '@tollgate/service/service';
import { parseSmtpUrl, type SmtpServer } from './mail/smtp-server.ts';
import type { PasswordRanges } from './passwords/leaked/password-ranges.ts';
import { normalizeDomain } from './sso/settings/domain-name.ts';
import type { OperatorDomains } from './sso/settings/domain-proof.ts';

/** An attacker could guess a short token before the operator uses it. */
const MIN_SETUP_TOKEN_LENGTH = 24;

export type AccountsConfig = ReturnType<typeof readAccountsConfig>;

/** Reads and validates the environment. Throws one ConfigError that names every invalid variable. */
export function readAccountsConfig(env: Environment) {
  const config = readConfig(env, accountsVariables);
  const isPublished = (key: string) =>
    config.actorPublicKeys.some((candidate) => isPublicHalf(candidate, key));
  if (!config.actorSigningKeys.every(isPublished)) {
    // Without it, this and every other service would reject every member's token.
    throw new ConfigError([
      'ACTOR_PUBLIC_KEYS must contain the public half of each key in ACTOR_SIGNING_KEY.',
    ]);
  }
  if (config.smtp !== null && config.mailFrom === null) {
    throw new ConfigError(['MAIL_FROM is missing. SMTP_URL is set, and mails need a sender.']);
  }
  return config;
}

/** The first key signs actor tokens. A further one is the next or the previous one, during a rotation. */
const actorSigningKeys: Variable<readonly [string, ...string[]]> = {
  name: 'ACTOR_SIGNING_KEY',
  description: 'Sign the tokens with which members call the services.',
  type: 'list of Ed25519 keys in PKCS #8 as PEM, or its base64 encoding',
  isSecret: true,
  parse(text) {
    const keys = parsePemKeys(text);
    if (!keys.every(isEd25519PrivateKey)) {
      throw new Error('must be Ed25519 private keys in PEM format (PKCS #8), or their base64 encoding');
    }
    return keys as [string, ...string[]];
  },
};

/** Null when unset: the installation then cannot be set up. */
const setupToken: Variable<string | null> = {
  name: 'SETUP_TOKEN',
  description:
    'Proof of the operator, for the first setup and for resetting the password of an installation admin. Without it, neither is possible.',
  type: `text of at least ${MIN_SETUP_TOKEN_LENGTH} characters`,
  isSecret: true,
  fallback: null,
  parse(text) {
    if (text.length >= MIN_SETUP_TOKEN_LENGTH) return text;
    throw new Error(`must have at least ${MIN_SETUP_TOKEN_LENGTH} characters; generate it randomly`);
  },
};

/** Null when unset: the installation then sends no mail. */
const smtp: Variable<SmtpServer | null> = {
  name: 'SMTP_URL',
  description: '[Mail server](email.md). Without it, Tollgate sends no mail.',
  type: 'URL',
  isSecret: true,
  fallback: null,
  parse: parseSmtpUrl,
};

/** Null when unset. */
const mailFrom: Variable<string | null> = {
  name: 'MAIL_FROM',
  description: 'Sender of emails. Required with `SMTP_URL`.',
  type: '`<name> <<address>>`, or an address',
  fallback: null,
  parse(text) {
    if (/^(?:[^<>@,;"\\]+ <[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/.test(text)) return text;
    throw new Error('must be a sender such as Tollgate <tollgate@example.com>');
  },
};

/** A member waits for it when they set a password. */
const RANGE_TIMEOUT_MS = 2 * SECOND_MS;

/** Null when unset: only the list that comes with Tollgate is searched. */
const passwordRanges: Variable<PasswordRanges | null> = {
  name: 'LEAKED_PASSWORDS_URL',
  description:
    'API of leaked passwords, such as `https://api.pwnedpasswords.com/range`, which gets the first five characters of the SHA-1 digest of a new password. Tollgate always searches its own list of 44,000 passwords.',
  type: 'URL',
  fallback: null,
  parse(text) {
    const url = URL.parse(text);
    const isLocal = url?.protocol === 'http:' && LOOPBACK_HOSTS.includes(url.hostname);
    if (!url || !(url.protocol === 'https:' || isLocal) || url.search || url.hash || url.username)
      throw new Error('must be an https:// address, without a user, a query, or a fragment');
    return { url: text.replace(/\/$/, ''), timeoutMs: RANGE_TIMEOUT_MS };
  },
};

const ssoVerifiedDomains: Variable<OperatorDomains> = {
  name: 'SSO_VERIFIED_DOMAINS',
  description:
    'Email domains that the operator verified for [single sign-on](single-sign-on.md) of a team, instead of a DNS record.',
  type: 'list of `<domain>=<team ID>`',
  fallback: new Map(),
  defaultText: 'none',
  parse(text) {
    const domains = new Map<string, string>();
    for (const pair of text.split(',')) {
      const [domain = '', teamId = ''] = pair.split('=').map((part) => part.trim());
      const name = normalizeDomain(domain);
      if (name === null || !isId('team', teamId) || domains.has(name)) {
        throw new Error(`must name each domain once, such as example.com=<team ID>, not "${pair.trim()}"`);
      }
      domains.set(name, teamId);
    }
    return domains;
  },
};

export const accountsVariables = {
  ...serviceVariables,
  ...verifierVariables,
  signer: signer('accounts', 'Sign audit entries.'),
  encryptionKeys: keyring(
    'ACCOUNTS_ENCRYPTION_KEYS',
    'Encrypt the secrets of authenticator apps and of clients at identity providers, device tokens, links of open invitations, and URLs of chat webhooks.',
  ),
  actorSigningKeys,
  setupToken,
  smtp,
  mailFrom,
  passwordRanges,
  dashboardUrl: origin('DASHBOARD_URL', {
    default: 'http://localhost:3000',
    description:
      'Public address of the dashboard, for links in messages, redirect URIs of single sign-on, and passkeys, which work for its host name only.',
  }),
  chatAllowsPrivateNetworks: flag('CHAT_ALLOW_PRIVATE_NETWORKS', {
    default: false,
    description:
      'Allows chat webhooks with http, and at loopback and private addresses. For development only.',
  }),
  chatNetworks: networks('CHAT_NETWORKS', 'Networks besides the internet that the chats of teams may be in.'),
  ssoAllowPrivateNetworks: flag('SSO_ALLOW_PRIVATE_NETWORKS', {
    default: false,
    description:
      'Allows identity providers on loopback and private addresses, and on `http://localhost`. For development only.',
  }),
  ssoNetworks: networks('SSO_NETWORKS', 'Networks besides the internet that identity providers may be in.'),
  ssoVerifiedDomains,
  platformPorts,
};

function isEd25519PrivateKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'ed25519';
  } catch {
    return false;
  }
}

function isPublicHalf(publicPem: string, privatePem: string): boolean {
  try {
    return createPublicKey(publicPem).equals(createPublicKey(privatePem));
  } catch {
    return false;
  }
}
