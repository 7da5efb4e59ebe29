#!/usr/bin/env bash
# Asks the server through reverse proxies what docs/serve.md describes, and compares the answers
# with those of the server itself.
#
#   lab/scripts/serve_proxies.sh PROGRAM [nginx caddy]
#
# PROGRAM is setrograde-serve. nginx and Caddy run as Debian packages them, with their default
# settings and the lines of the document. A proxy that is not installed is left out with a message.
# Exit status 1 if an answer differs.
set -uo pipefail
cd "$(dirname "$0")/../.."
[ $# -ge 1 ] || { echo "usage: lab/scripts/serve_proxies.sh PROGRAM [nginx caddy]" >&2; exit 2; }
program=$(realpath "$1")
shift
evening=$(realpath data/samples/evening.pbn)
work=$(mktemp -d)
started=()
trap 'kill "${started[@]}" 2>/dev/null; wait 2>/dev/null; rm -rf "$work"' EXIT
site=bridge.example.org
"$program" --port 0 --db none --host $site --log 2>"$work/said" &
started+=($!)
for _ in $(seq 100); do grep -q listening "$work/said" && break; sleep 0.1; done
server=$(sed -n 's|.*http://127.0.0.1:\([0-9]*\)/.*|\1|p' "$work/said" | head -n 1)
[ -n "$server" ] || { cat "$work/said" >&2; exit 1; }
cd "$work"

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

# All requests, each the words of curl, with @ for the address.
position='NT S N:AQ... K3... 5... 76... played=S4'
hidden='NT S N:AQ... ? 32... ? out=KJT9...'
requests=(
    "@/" "@/health" "@/openapi.json" "-I @/health" "-X OPTIONS @/table" "-X PUT @/table" "@/nothing"
    "-G @/solve --data-urlencode 'question=$position' -d all"
    "-G @/odds --data-urlencode 'question=$hidden' -d by_split -d until=0.01"
    "-G @/claim --data-urlencode 'question=$hidden' --data-urlencode 'if=E+SK' --data-urlencode 'if=W+SJ' -d tricks=1"
    "-G @/suit -d north=AJT98 -d south=432 -d vacant=10 -d vacant=13"
    "@/table?question=nonsense" "@/table?nothing=x"
    "@/odds -H 'Content-Type: application/json' -d '{\"question\": \"$hidden\", \"all\": true}'"
    "@/solve --data-urlencode 'question=$position'"
    "--data-binary @$evening -H 'Content-Type: text/plain' @/par"
    "--data-binary @$evening -H 'Content-Type: text/plain' -H 'Accept: application/json' @/par"
    "-T $evening -X POST -H 'Transfer-Encoding: chunked' -H 'Content-Type: text/plain' @/par"
    "@/ask -d '{\"ask\": \"leads\", \"contract\": \"3NT\", \"question\": \"K2.QJT94.873.A62\", \"draw\": 2}'"
    "@/health -H 'Origin: http://$site'"
    "-G @/suit -d north=AQ -d south=32 -H 'Origin: https://$site'"
    "-G @/suit -d north=AQ -d south=32 -H 'Referer: https://$site/page'"
    "-G @/suit -d north=AQ -d south=32 -H 'Origin: https://evil.example'"
    "-G @/suit -d north=AQ -d south=32 -H 'Sec-Fetch-Site: cross-site'"
)

# The status and the body of each request to a port, one after the other.
answers() {
    local port=$1 request
    for request in "${requests[@]}"; do
        eval "curl -s -m 60 -w '%{http_code}\n' --resolve $site:$port:127.0.0.1 ${request//@\//http://$site:$port/}" |
            sed 's/^Content-Type:/content-type:/' |
            grep -vi '^\(date\|server\|connection\|via\|alt-svc\|content-length\|etag\|http/\|transfer-encoding\|keep-alive\):\?'
    done
}

compare() {
    local name=$1 port=$2 differ
    for _ in $(seq 50); do curl -s -o /dev/null --resolve $site:"$port":127.0.0.1 "http://$site:$port/health" && break; sleep 0.1; done
    answers "$port" >"$name.txt"
    if differ=$(diff direct.txt "$name.txt"); then
        echo "$name: ${#requests[@]} requests are answered as without it"
    else
        echo "FAILED: $name" >&2
        echo "$differ" | head -n 20 >&2
        failed=1
    fi
}

with_nginx() {
    local lines=$1 port
    command -v nginx >/dev/null || { echo "left out: nginx (apt install nginx-light)"; return; }
    port=$(free_port)
    mkdir -p "nginx$port"
    cat >"nginx$port/nginx.conf" <<END
daemon off;
error_log $work/nginx$port/error.log;
pid $work/nginx$port/pid;
events {}
http {
    access_log off;
    client_body_temp_path $work/nginx$port/body;
    proxy_temp_path $work/nginx$port/proxy;
    fastcgi_temp_path $work/nginx$port/fastcgi;
    uwsgi_temp_path $work/nginx$port/uwsgi;
    scgi_temp_path $work/nginx$port/scgi;
    server {
        listen 127.0.0.1:$port;
        server_name $site;
        location / {
            proxy_pass http://127.0.0.1:$server;
            $lines
        }
    }
}
END
    nginx -p "$work/nginx$port" -c "$work/nginx$port/nginx.conf" -e "$work/nginx$port/error.log" 2>>nginx.log &
    started+=($!)
    compare "nginx$2" "$port"
}

nginx_() {
    # Without further lines, nginx gives the server its own host.
    with_nginx "" "-alone"
    with_nginx 'proxy_set_header Host $host; proxy_set_header X-Forwarded-For $remote_addr;' ""
    grep -q '^127.0.0.1 - - .*"GET /health' said || { echo "FAILED: the log has no line" >&2; failed=1; }
}

caddy_() {
    command -v caddy >/dev/null || { echo "left out: caddy (apt install caddy)"; return; }
    local port
    port=$(free_port)
    printf '{\n  admin off\n}\nhttp://%s:%s {\n  reverse_proxy 127.0.0.1:%s\n}\n' $site "$port" "$server" >Caddyfile
    HOME=$work caddy run --config Caddyfile --adapter caddyfile 2>caddy.log &
    started+=($!)
    compare caddy "$port"
}

failed=0
answers "$server" >direct.txt
wrong=$(grep -c '^000$\|^50.$' direct.txt)
[ "$wrong" = 0 ] || { echo "FAILED: the server itself does not answer $wrong requests" >&2; failed=1; }
for proxy in "${@:-nginx caddy}"; do
    for one in $proxy; do
        case $one in
        nginx | caddy) "${one}_" ;;
        *) echo "there is no $one" >&2; exit 2 ;;
        esac
    done
done
exit $failed
