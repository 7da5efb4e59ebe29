#!/usr/bin/env bash
# Generates clients of the server from its OpenAPI document, and asks with them.
#
#   lab/scripts/serve_clients.sh PROGRAM [lint python typescript]
#
# PROGRAM is setrograde-serve. Python's generator is openapi-python-client, TypeScript's
# openapi-typescript with openapi-fetch, and redocly lints; all come from PyPI and npm into a
# temporary directory. Missing clients are skipped with a message; a failure exits with 1.
set -uo pipefail
cd "$(dirname "$0")/../.."
[ $# -ge 1 ] || { echo "usage: lab/scripts/serve_clients.sh PROGRAM [PART...]" >&2; exit 2; }
program=$(realpath "$1")
evening=$(realpath data/samples/evening.pbn)
shift
work=$(mktemp -d)
trap 'kill "$server" 2>/dev/null; rm -rf "$work"' EXIT
"$program" --port 0 2>"$work/said" &
server=$!
for _ in $(seq 100); do grep -q listening "$work/said" && break; sleep 0.1; done
address=$(grep -o 'http://[^/]*' "$work/said" | head -n 1)
[ -n "$address" ] || { cat "$work/said" >&2; exit 1; }
cd "$work"
python3 -c 'import sys, urllib.request; sys.stdout.buffer.write(urllib.request.urlopen(sys.argv[1]).read())' \
    "$address/openapi.json" >openapi.json || exit 1
failed=0
fail() { echo "FAILED: $*" >&2; failed=1; }

lint() {
    npx --yes @redocly/cli lint openapi.json || fail "redocly finds errors"
}

python() {
    python3 -m venv venv && venv/bin/pip install --quiet openapi-python-client ruff ||
        { echo "left out: openapi-python-client (PyPI)"; return; }
    PATH=$work/venv/bin:$PATH venv/bin/openapi-python-client generate --path openapi.json \
        --fail-on-warning --meta none --output-path setrograde_client || { fail "the generator warns"; return; }
    venv/bin/python - "$address" "$evening" <<'END' || fail "the client in Python"
import sys

from setrograde_client import Client
from setrograde_client.api.questions import get_solve, get_suit, get_table, post_odds, post_table
from setrograde_client.api.server import get_health
from setrograde_client.models import PostOddsJsonBody, PostTableJsonBody, Refusal, Table
from setrograde_client.types import File

client = Client(base_url=sys.argv[1])
deal = "N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76"
assert get_health.sync(client=client).cards >= 12
table = get_table.sync(client=client, question=deal)
assert table.tricks["S"]["E"] == 11, table
posted = post_table.sync(client=client, body=PostTableJsonBody(question=deal))
assert posted.tricks == table.tricks, posted
solved = get_solve.sync(client=client, question="NT S N:AQ... K3... 5... 76... played=S4", all_=True)
assert [card.tricks for card in solved.cards], solved
asked = PostOddsJsonBody(question="NT S N:AQ... ? 32... ? out=KJT9...", draw=20, if_=["E+SK"])
odds = post_odds.sync(client=client, body=asked)
assert odds.layouts == 20, odds
assert get_suit.sync(client=client, north="AJT98", south="432", vacant=[10, 13]).at_least
with open(sys.argv[2], "rb") as boards:
    evening = post_table.sync(client=client, body=File(payload=boards, file_name="evening.pbn"))
assert isinstance(evening, list) and len(evening) > 1 and all(isinstance(one, Table) for one in evening), evening
refused = get_table.sync(client=client, question="nonsense")
assert isinstance(refused, Refusal) and refused.error, refused
print("the client in Python asks and is answered")
END
}

typescript() {
    command -v npm >/dev/null || { echo "left out: TypeScript (npm)"; return; }
    npm init --yes >/dev/null && npm install --silent openapi-typescript openapi-fetch typescript@5 @types/node >/dev/null ||
        { echo "left out: openapi-typescript (npm)"; return; }
    npx openapi-typescript openapi.json --output setrograde.ts || { fail "openapi-typescript"; return; }
    cat >ask.mts <<'END'
import createClient from "openapi-fetch";
import type { paths } from "./setrograde.js";

const client = createClient<paths>({ baseUrl: process.argv[2] });
const question = "N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76";
const table = await client.GET("/table", { params: { query: { question } } });
if (table.data?.tricks?.S.E !== 11) throw new Error(JSON.stringify(table));
const odds = await client.POST("/odds", {
  body: { question: "NT S N:AQ... ? 32... ? out=KJT9...", draw: 20, all: true, if: ["E+SK"] },
});
// A file would have been answered by a line for each question.
if (!odds.data || !("layouts" in odds.data) || odds.data.layouts !== 20) throw new Error(JSON.stringify(odds));
const refused = await client.GET("/table", { params: { query: { question: "nonsense" } } });
if (!refused.error?.error) throw new Error(JSON.stringify(refused));
console.log("the client in TypeScript asks and is answered");
END
    npx tsc --strict --target es2022 --module nodenext --skipLibCheck ask.mts && node ask.mjs "$address" ||
        fail "the client in TypeScript"
}

for part in "${@:-lint python typescript}"; do
    for one in $part; do
        case $one in
        lint | python | typescript) "$one" ;;
        *) echo "there is no $one" >&2; exit 2 ;;
        esac
    done
done
exit $failed
