#!/bin/sh
# Builds static/dist from the sources: same sources, same bytes. Names carry a
# piece of the content's SHA-256, so that browsers may keep files for ever.
set -eu
cd "$(dirname "$0")/.."
[ -x node_modules/.bin/tailwindcss ] || { echo "run npm ci first" >&2; exit 1; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# --cwd keeps Tailwind from looking for class names in the whole repository.
node_modules/.bin/tailwindcss --cwd static/src --input "$PWD/static/input.css" --output "$work/app.css" --minify
go tool esbuild static/src/app.js --bundle --minify --format=esm --target=es2022 --charset=utf8 \
  --log-level=warning --log-override:direct-eval=silent --outfile="$work/app.js"

mkdir -p static/dist
rm -f static/dist/*
for file in "$work"/*; do
  name=$(basename "$file")
  hash=$(sha256sum "$file" | cut -c1-10)
  cp "$file" "static/dist/${name%.*}.$hash.${name##*.}"
done
