#!/bin/sh
# Writes quantloom/types.py from the OpenAPI document. Needs: pip install '.[generate]'
cd "$(dirname "$0")" || exit 1
exec datamodel-codegen --input ../../http/src/developer-docs/openapi.json --input-file-type openapi \
  --openapi-scopes schemas --output "${1:-quantloom/types.py}" --output-model-type typing.TypedDict \
  --target-python-version 3.10 --use-union-operator --use-standard-collections --disable-timestamp --formatters builtin
