#!/bin/sh
# Verifies one request. body.json must hold the exact bytes received, with no trailing line break added.
# The key is visible in the process list. Use this for testing, not on a server.
webhook_id='evt_…'
webhook_timestamp='1700000000'
webhook_signature='v1,…'

key=$(printf %s "${WEBHOOK_SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')
expected=$({ printf %s. "$webhook_id" "$webhook_timestamp"; cat body.json; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)
case " $webhook_signature " in
*" v1,$expected "*) echo 'Signature valid.' ;;
*) echo 'Signature not valid.' && exit 1 ;;
esac
