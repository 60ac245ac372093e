import { describe, expect, it } from 'vitest';
import { createSenderOf } from './client-address.ts';

describe('the address of the client', () => {
  it("is the connection's address when no proxy is trusted, regardless of headers", () => {
    const senderOf = createSenderOf([]);
    expect(senderOf('192.0.2.1', '198.51.100.7')).toEqual({ address: '192.0.2.1', viaTrustedProxy: false });
  });

  it('is the address that the nearest trusted proxy has seen, not one that the client claims', () => {
    const senderOf = createSenderOf(['10.0.0.0/8', 'fd00::/8']);
    expect(senderOf('10.0.0.1', '203.0.113.9, 198.51.100.7')).toEqual({
      address: '198.51.100.7',
      viaTrustedProxy: true,
    });
    expect(senderOf('fd00::1', '198.51.100.7, 10.0.0.2').address).toBe('198.51.100.7');
  });

  it("is the proxy's own address when it forwards none", () => {
    expect(createSenderOf(['10.0.0.0/8'])('10.0.0.1', undefined).address).toBe('10.0.0.1');
    expect(createSenderOf(['10.0.0.0/8'])('10.0.0.1', '').address).toBe('10.0.0.1');
  });

  it('is converted to IPv4 when a dual-stack listener shows it as IPv6', () => {
    const senderOf = createSenderOf(['10.0.0.0/8']);
    expect(senderOf('::ffff:192.0.2.1', undefined).address).toBe('192.0.2.1');
    expect(senderOf('::ffff:10.0.0.1', '198.51.100.7').address).toBe('198.51.100.7');
  });
});
