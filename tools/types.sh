#!/bin/sh
# Checks the types of the panels' JavaScript with TypeScript.  Needs npx, and the network the first time.
cd "$(dirname "$0")/.."
exec npx --yes --package typescript@5.9.3 -- tsc --project jsconfig.json
