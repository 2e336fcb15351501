# Makes a cluster of PostgreSQL in the current directory, as the user of the server: an empty one,
# or a copy of an old one's data. It only reads the old one, so it never uses --link.
set -eu
bin=$1 superuser=$2 login=$3 port=$4 fsync=$5 old_bin=${6-} old=${7-}

# If dispo is stopped or killed, everything here ends, also what pg_upgrade started in other
# sessions. It has dispo's lock, as its file 3. What has not ended after a minute keeps the lock.
dispo=$(readlink "/proc/$PPID/exe" || true)
stop() {
    trap '' TERM
    kill 0
    lock=$(readlink "/proc/$$/fd/3") || exit 1
    left=true tries=600
    while $left && [ $tries -gt 0 ]; do
        left=false tries=$((tries - 1))
        for process in /proc/[0-9]*; do
            program=$(readlink "$process/exe") && [ "$program" != "$dispo" ] && [ "$process" != "/proc/$$" ] &&
                [ "$(readlink "$process/fd/3")" = "$lock" ] || continue
            left=true signal=TERM
            [ "${program##*/}" != postgres ] || signal=INT # a fast shutdown
            kill -s $signal "${process#/proc/}" || true
        done
        ! $left || sleep 0.1
    done
    exit 1
}
trap stop TERM
run() { "$@" & wait $!; } # the trap does not wait for what is in the background

initialize() {
    [ "$fsync" != off ] || set -- --no-sync "$@"
    run "$bin/initdb" --pgdata "$PWD" --username "$superuser" --encoding UTF8 --locale C \
        --auth-local trust --auth-host reject "$@"
}

if [ -z "$old" ]; then
    initialize --data-checksums
    printf '\n# Settings of Dispo. What stands below, or was set by ALTER SYSTEM, wins.\ninclude %s\n' \
        "'../postgres.conf'" >>postgresql.conf
    # What docs/roles.sql does elsewhere, one statement a line.
    "$bin/postgres" --single -D "$PWD" -c exit_on_error=on -c "fsync=$fsync" postgres <<EOF
CREATE ROLE dispo_app
CREATE ROLE dispo_operator
CREATE ROLE dispo_keeper
CREATE ROLE $login LOGIN IN ROLE dispo_app, dispo_operator, dispo_keeper
ALTER DATABASE postgres OWNER TO $login
REVOKE EXECUTE ON FUNCTION lo_creat(integer), lo_create(oid), lo_from_bytea(oid, bytea) FROM PUBLIC
EOF
    exit
fi

upgrade() {
    run "$bin/pg_upgrade" --username "$superuser" --old-bindir "$old_bin" --old-datadir "$old" --old-port "$port" \
        --new-bindir "$bin" --new-datadir "$PWD" --new-port "$port" --socketdir "$old" "$@"
}

# pg_upgrade wants checksums in both clusters or in neither. From 18 on, initdb makes them by itself.
checksums=--data-checksums
if "$old_bin/pg_controldata" "$old" | grep -q '^Data page checksum version: *0$'; then
    checksums=$("$bin/initdb" --help | grep -o -e --no-data-checksums | head -n 1)
fi
initialize $checksums
cp "$old/postgresql.conf" "$old/postgresql.auto.conf" "$old/pg_hba.conf" .

# It copies, unless the file system can share what does not change.
mode=--clone room=256
if ! upgrade --check --clone; then
    rm -rf pg_upgrade_output.d
    mode=
    upgrade --check
fi
# Without checksums, each page is written again.
[ "$mode$checksums" = --clone--data-checksums ] || room=$((room + $(du -sm "$old" | cut -f 1)))
free=$(($(df -Pk . | awk 'END { print $4 }') / 1024))
if [ "$free" -lt "$room" ]; then
    echo "The upgrade needs $room MB in $PWD, which has $free MB left: make room there." >&2
    exit 1
fi

upgrade $mode
rm -f delete_old_cluster.sh # it names where the new one will be
[ "$checksums" = --data-checksums ] || run "$bin/pg_checksums" --enable --pgdata .
