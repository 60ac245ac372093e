#!/bin/sh
# Replaces the containers of each service one by one, without a failed request: starts a new one with the current image and settings, waits until it
# is healthy, and then stops an old one. `docker compose up` alone replaces all containers of a service at once.
#   COMPOSE="docker compose --env-file tollgate.env" docker/rolling-upgrade.sh [service…]
# Without arguments, creates the users, permissions, and indexes that the release needs, and replaces all services in the order of an upgrade
# (docs/versioning.md). For a rollback, set the earlier image and pass the services in the reverse order. The script can be repeated. If a new
# container does not become healthy, the script removes it, keeps the old ones, and exits.
set -eu
COMPOSE=${COMPOSE:-docker compose --env-file tollgate.env}
HEALTHY_WITHIN_S=${HEALTHY_WITHIN_S:-180}
# Above the longest DRAIN_DELAY and what a process takes to finish, as in docker-compose.yml.
STOP_WITHIN_S=95

compose() {
  # The words of COMPOSE are a command and its options.
  $COMPOSE "$@"
}

# @param 1 container
wait_until_healthy() {
  waited=0
  while [ "$(docker inspect --format '{{.State.Health.Status}}' "$1")" != healthy ]; do
    [ "$waited" -lt "$HEALTHY_WITHIN_S" ] || return 1
    sleep 1
    waited=$((waited + 1))
  done
}

# @param 1 service, 2 container of it
replace() {
  before=$(compose ps -q "$1")
  count=$(echo "$before" | wc -w)
  compose up -d --no-deps --no-recreate --scale "$1=$((count + 1))" "$1"
  for new in $(compose ps -q "$1"); do
    case "$before" in *"$new"*) continue ;; esac
    if ! wait_until_healthy "$new"; then
      docker logs --tail 20 "$new" >&2
      docker rm --force "$new" > /dev/null
      echo "A new container of $1 was not healthy within $HEALTHY_WITHIN_S s and was removed. Its last log lines are above. The old containers of $1 still run. Fix the cause, then run the script again." >&2
      exit 1
    fi
  done
  docker stop --time "$STOP_WITHIN_S" "$2" > /dev/null
  docker rm "$2" > /dev/null
}

if [ $# -eq 0 ]; then
  # NATS reads its users and permissions only at its start, and a new checkout replaces the mounted file.
  compose up -d --no-deps --force-recreate nats
  wait_until_healthy "$(compose ps -q nats)"
  for step in mongodb-users migrate; do compose run --rm --no-deps -T "$step"; done
  set -- audit webhooks usage payments applications accounts gateway dashboard
fi
for service in "$@"; do
  for old in $(compose ps -q "$service"); do
    replace "$service" "$old"
    echo "$service: replaced $(echo "$old" | cut -c 1-12)"
  done
done
