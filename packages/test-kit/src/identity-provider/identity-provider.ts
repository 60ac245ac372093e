import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import Provider from 'oidc-provider';
import { rewriteBody } from './rewrite-body.ts';
import { signInAt } from './sign-in-at.ts';

/** A person at the provider, with their claims. */
export interface Person {
  sub: string;
  [claim: string]: unknown;
}

export interface IdentityProviderOptions {
  redirectUris: string[];
  /** Whether the ID token has all claims; by default only the UserInfo endpoint has them. */
  claimsInIdToken?: boolean;
}

/** A real OpenID provider on a loopback address. */
export interface IdentityProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Adds or replaces a person, whom the sign-in page finds by `sub`. */
  addPerson(person: Person): void;
  /** Signs in as the person, like a browser with these cookies. Returns the address that the provider redirects to. */
  signIn(authorizationUrl: string, sub: string, cookies?: Map<string, string>): Promise<URL>;
  /** Replaces the signing key. The earlier one is no longer published. */
  rotateKeys(): Promise<void>;
  /** Rewrites the ID tokens that the token endpoint returns, as a hostile provider could; null for none. */
  rewriteIdTokens(rewrite: RewriteIdToken | null): void;
  /** Requests that the token endpoint has received. */
  tokenRequests(): number;
  /** Sign-in pages that were submitted. */
  submittedSignIns(): number;
  stop(): Promise<void>;
}

export type RewriteIdToken = (idToken: string, key: { jwk: JWK }) => string | Promise<string>;

const CLIENT = { clientId: 'tollgate', clientSecret: 'the secret of the tests, which is long' };
const HOST = '127.0.0.1';

export async function startIdentityProvider(options: IdentityProviderOptions): Promise<IdentityProvider> {
  const people = new Map<string, Person>();
  let rewrite: RewriteIdToken | null = null;
  let tokenRequests = 0;
  let submittedSignIns = 0;
  const index = providers++ % SHARED_KEYS;
  sharedKeys[index] ??= newSigningKey();
  let jwk = await sharedKeys[index];
  const server = createServer((req, res) => void handle(req, res));
  server.listen(0, HOST);
  await once(server, 'listening');
  // A test that does not stop it still ends.
  server.unref();
  const issuer = `http://${HOST}:${(server.address() as AddressInfo).port}`;
  let provider = createProvider();

  function createProvider(): Provider {
    return new Provider(issuer, {
      clients: [
        {
          client_id: CLIENT.clientId,
          client_secret: CLIENT.clientSecret,
          redirect_uris: options.redirectUris,
          response_types: ['code'],
          grant_types: ['authorization_code'],
        },
      ],
      jwks: { keys: [jwk] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
      conformIdTokenClaims: options.claimsInIdToken !== true,
      cookies: { keys: ['a key of the tests'] },
      features: { devInteractions: { enabled: false } },
      findAccount: (_ctx, sub) => {
        const person = people.get(sub);
        return person && { accountId: sub, claims: () => person };
      },
      interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
      // Everyone has consented.
      async loadExistingGrant({ oidc }) {
        const grant = new oidc.provider.Grant({
          clientId: CLIENT.clientId,
          accountId: oidc.session?.accountId as string,
        });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
    });
  }

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const path = req.url ?? '';
    if (path.startsWith('/interaction/')) return interact(req, res);
    if (path.startsWith('/token')) {
      tokenRequests += 1;
      const current = rewrite;
      if (current) {
        rewriteBody(res, async (body) => ({
          ...body,
          id_token: await current(String(body['id_token']), { jwk }),
        }));
      }
    }
    provider.callback()(req, res);
  }

  /** The sign-in page: a form with one field. */
  async function interact(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (req.method === 'POST') {
      submittedSignIns += 1;
      const chunks: Buffer[] = [];
      for await (const chunk of req) chunks.push(chunk as Buffer);
      const sub = new URLSearchParams(Buffer.concat(chunks).toString()).get('sub') ?? '';
      return provider.interactionFinished(req, res, { login: { accountId: sub } });
    }
    res.setHeader('content-type', 'text/html; charset=utf-8');
    res.end(
      '<!doctype html><title>Provider</title><form method="post"><label>User <input name="sub"></label><button>Sign in to the provider</button></form>',
    );
  }

  return {
    issuer,
    ...CLIENT,
    addPerson(person) {
      people.set(person.sub, person);
    },
    signIn: signInAt,
    async rotateKeys() {
      jwk = await newSigningKey();
      provider = createProvider();
    },
    rewriteIdTokens(next) {
      rewrite = next;
    },
    tokenRequests: () => tokenRequests,
    submittedSignIns: () => submittedSignIns,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** To generate a key takes longer than all else that a sign-in does. Two providers in a row have different ones. */
const SHARED_KEYS = 2;
const sharedKeys: Promise<JWK>[] = [];
let providers = 0;
let keys = 0;

async function newSigningKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  keys += 1;
  return { ...(await exportJWK(privateKey)), kid: `key-${keys}`, alg: 'RS256', use: 'sig' };
}
