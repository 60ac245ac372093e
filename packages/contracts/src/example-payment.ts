/** The payment of the examples and of test events. No payment is behind it, and none will ever have this id. */
export const EXAMPLE_PAYMENT_ID = 'pay_01kf0fj3s0ec7s9q7v0h5x2m4n';
