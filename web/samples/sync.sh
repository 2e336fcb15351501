#!/usr/bin/env bash
# Copies your companies and their transactions into a folder, and proves that the copy is
# complete. Run it as often as you like, one run at a time: it reads only what is new,
# and one request tells it that nothing is.
#
#   DISPO_KEY=dispo_… bash sync.sh [FOLDER]
#
# The folder has companies.jsonl, with a company on each line, and for each company
# CVR.jsonl, with its transactions. The id on the last line is the cursor. If a run is
# killed while it writes, the next one cuts off what is not a whole line, and goes on
# from there.
#
# The exit status is 0 if the copy is complete, 1 if it is not (run it again), and 2 if a
# setting or a program is missing. Needs bash, curl 7.55 or later, and jq.
set -euo pipefail
shopt -s nocasematch # names of headers
export LC_ALL=C

url=${DISPO_URL:-https://dispo.example/api}
folder=${1:-dispo-copy}
max_tries=5 # of one request

say() { printf '%s\n' "$*"; }
fail() { say "The copy is not complete: $*" >&2 && exit 1; }

# get PATH [ETAG] requests a path, and sets status to 200 or 304. For 200, it sets total,
# more (true or false) and next_after to what the page says. It waits and tries again if a
# limit is reached, the service is unavailable, or the network fails. The key is not on the
# command line, where other users of the machine could see it.
get() {
    local try wait problem meta
    for ((try = 1; ; try++)); do
        wait=$((2 ** (try - 1)))
        : >"$folder/body.new"
        if problem=$(curl --silent --show-error --compressed --max-time 30 --suppress-connect-headers "$url$1" \
            --header @<(printf 'X-API-Key: %s\n' "$key") ${2:+--header "If-None-Match: $2"} \
            --dump-header "$folder/headers.new" --output "$folder/body.new" 2>&1); then
            read -r _ status _ <"$folder/headers.new"
            [ "$status" != 304 ] || return 0
            if [ "$status" = 200 ]; then
                meta=$(jq --exit-status --raw-output '"\(.meta.total) \(.meta.hasMore) \(.data[-1].id // "")"' "$folder/body.new" 2>/dev/null) ||
                    fail "this is not an answer of the API"
                read -r total more next_after <<<"$meta"
                return 0
            fi
            problem=$(jq --exit-status --raw-output '.error | "\(.code // error): \(.message)"' "$folder/body.new" 2>/dev/null) ||
                problem="this is not an answer of the API" # but of a proxy, perhaps
            problem="$status $problem (X-Request-Id $(header X-Request-Id))"
            [ "$status" = 429 ] || [ "$status" -ge 500 ] || fail "$problem"
            [[ ! $(header Retry-After) =~ ^[0-9]+$ ]] || wait=$(header Retry-After)
        fi
        ((try < max_tries)) || fail "$problem; gave up after $max_tries tries"
        say "$problem; trying again in $wait s (try $try of $max_tries)" >&2
        sleep "$wait"
    done
}

# header NAME prints a header of the response.
header() {
    local line
    while IFS= read -r line; do
        [[ $line != "$1: "* ]] || say "${line#*: }"
    done < <(tr -d '\r' <"$folder/headers.new")
}

# flush FILE writes a file to disk, as far as the system's sync can do that.
flush() { sync "$1" 2>/dev/null || sync; }

# add AMOUNT adds an amount such as -0.50 to sum, which is in øre. Amounts always have two
# decimals.
add() {
    local digits=${1//[-.]/}
    sum=$((sum + ${1%%[0-9]*}10#$digits))
}

# measure FILE sets count, sum and last (an id) to what a copy has. It fails if a line is
# damaged.
measure() {
    local items id amount
    count=0 sum=0 last=
    # A crash of the machine can leave zero bytes, which jq skips.
    [ "$(($(tr -dc '\0' <"$1" | wc -c)))" = 0 ] || return
    items=$(jq --raw-output '"\(.id) \(.amountDkk)"' "$1" 2>/dev/null) || return
    [ -n "$items" ] || return 0
    while read -r id amount; do
        add "$amount"
        count=$((count + 1)) last=$id
    done <<<"$items"
}

# sync_company CVR NAME reads what the copy lacks of a company's transactions, and proves
# the copy by their number and sum.
sync_company() {
    local cvr=$1 name=$2 copy=$folder/$1.jsonl amount had count sum last copied_sum
    touch "$copy"
    if [ -s "$copy" ] && [ "$(($(tail -c 1 "$copy" | wc -l)))" = 0 ]; then # the last line is not whole
        head -n "$(($(wc -l <"$copy")))" "$copy" >"$copy.new"
        mv "$copy.new" "$copy"
    fi
    measure "$copy" || { : >"$copy" && measure "$copy"; }
    for _ in 1 2; do
        had=$count more=true
        while [ "$more" = true ]; do
            get "/v1/companies/$cvr/transactions?limit=100${last:+&after=$last}"
            jq --compact-output '.data[]' "$folder/body.new" >>"$copy"
            flush "$copy"
            last=$next_after
        done
        measure "$copy"
        copied_sum=$sum sum=0
        amount=$(header X-Total-Amount-Dkk)
        add "$amount"
        if [ "$count" = "$total" ] && [ "$sum" = "$copied_sum" ]; then
            say "$cvr $name: $count transactions, $((count - had)) new, $amount DKK"
            return
        fi
        say "$cvr: the copy differs: a delivery was withdrawn, or a file was damaged. Reading it again from the start." >&2
        : >"$copy"
        count=0 last=
    done
    fail "$cvr: number and sum keep changing"
}

read -r key <<<"${DISPO_KEY:-}"
[[ $key =~ ^dispo_[0-9A-Za-z_]+$ ]] || { say "Set DISPO_KEY to your API key." >&2 && exit 2; }
command -v curl >/dev/null && command -v jq >/dev/null || { say "Install curl and jq." >&2 && exit 2; }
umask 077 # the data is your organization's
mkdir -p "$folder"
trap 'code=$?; rm -f "$folder"/*.new; exit $((code ? 1 : 0))' EXIT

# The ETag changes whenever anything of the organization changes.
get '/v1/companies?limit=100' "$(cat "$folder/etag" 2>/dev/null || true)"
if [ "$status" = 304 ]; then
    say "Nothing has changed since the copy was proved."
    exit
fi
printf %s "$(header ETag)" >"$folder/etag.new"
sleep 1 # answers are up to a second behind the data, but now as new as the ETag
: >"$folder/companies.new"
while jq --compact-output '.data[]' "$folder/body.new" >>"$folder/companies.new" && [ "$more" = true ]; do
    get "/v1/companies?limit=100&after=$next_after"
done
flush "$folder/companies.new"
mv "$folder/companies.new" "$folder/companies.jsonl"

while IFS=$'\t' read -r cvr name <&3; do
    sync_company "$cvr" "$name"
done 3< <(jq --raw-output '[.cvr, .name] | @tsv' "$folder/companies.jsonl")

# Kept only now, and from before the first read: a change since then is found next time.
flush "$folder/etag.new"
mv "$folder/etag.new" "$folder/etag"
say "$(($(wc -l <"$folder/companies.jsonl"))) companies. The copy is complete."
