#!/bin/sh
# Runs before nginx starts: without a certificate it creates a self-signed one, so that nginx can start
# and answer the certificate authority. Afterwards nginx reloads its certificate twice a day.
set -eu
tls=${TLS_FOLDER:-/etc/nginx/tls}

if [ ! -s "$tls/fullchain.pem" ] || [ ! -s "$tls/privkey.pem" ]; then
    umask 077
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 90 -subj /CN=pasch \
        -keyout "$tls/privkey.pem" -out "$tls/fullchain.pem" 2>/dev/null
    echo "certificate.sh: made a certificate of our own in $tls; deploy/README.md says how to get a real one"
fi

[ "${RELOAD:-1}" = 0 ] || while sleep 43200; do nginx -s reload; done &
