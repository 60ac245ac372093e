/** Receivers reject webhooks whose timestamp is further off, in either direction, which prevents replays (Standard Webhooks). */
export const WEBHOOK_TOLERANCE_S = 5 * 60;
