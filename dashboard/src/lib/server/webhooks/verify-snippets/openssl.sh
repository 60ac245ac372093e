#!/bin/sh
# Whether one request verifies. body.json holds exactly the bytes that came: no line break added at the end.
# The key shows in the list of processes: for trying out, not for a server.
webhook_id='evt_…'
webhook_timestamp='1700000000'
webhook_signature='v1,…'

key=$(printf %s "${WEBHOOK_SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')
expected=$({ printf %s. "$webhook_id" "$webhook_timestamp"; cat body.json; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)
case " $webhook_signature " in
*" v1,$expected "*) echo 'It verifies.' ;;
*) echo 'It does not verify.' && exit 1 ;;
esac
