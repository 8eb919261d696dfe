"""What DRF and spectacular do not know of the HTTP API: one shape for requests and refusals, and whose right each is.

Owns: the parsing of bodies, idempotency keys, If-Match, problem+json, what is common in the OpenAPI document, tokens.
Offers: `viewsets`, `operations`, `fields`, `bodies`, `keys`, `errors` for the `api` files of later rooms.
It must never know an address: each room declares its own operations, and `api_urls.py` where they stand.
"""

OFFERS = (
    "bodies",
    "errors",
    "fields",
    "keys",
    "models",
    "operations",
    "schema",
    "services",
    "viewsets",
    "waiting",
)
