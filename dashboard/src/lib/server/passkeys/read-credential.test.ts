import { expect, it } from 'vitest';
import { readAssertion, readNewCredential } from './read-credential.ts';

it('the credential of a browser becomes the request of the admin API when it is new', () => {
  const json = {
    id: 'AQID',
    rawId: 'AQID',
    type: 'public-key',
    response: { clientDataJSON: 'e30', attestationObject: 'oA', transports: ['usb'], publicKey: 'AA' },
  };
  expect(readNewCredential(JSON.stringify(json))).toEqual({
    id: 'AQID',
    client_data: 'e30',
    attestation_object: 'oA',
    transports: ['usb'],
  });
});

it('the credential of a browser becomes the request of the admin API when it signed a challenge', () => {
  const response = { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'BB', userHandle: 'CC' };
  expect(readAssertion(JSON.stringify({ id: 'AQID', response }))).toEqual({
    id: 'AQID',
    client_data: 'e30',
    authenticator_data: 'AA',
    signature: 'BB',
    user_handle: 'CC',
  });
});

it.each(['', 'null', '[]', '{"id":"AQID"}', '{"id":1,"response":{}}'])(
  'the credential of a browser is null for %j',
  (text) => {
    expect(readNewCredential(text)).toBeNull();
    expect(readAssertion(text)).toBeNull();
  },
);
