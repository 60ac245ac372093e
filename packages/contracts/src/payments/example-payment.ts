/** The payment in examples and test events. No real payment ever has this id. */
export const EXAMPLE_PAYMENT_ID = 'pay_01kf0fj3s0ec7s9q7v0h5x2m4n';
