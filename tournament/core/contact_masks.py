"""Telephones and addresses as those may see them who have no need of the whole."""


def mask_phone(phone: str) -> str:
    """The first and the last two digits: 9*** **18."""
    digits = [character for character in phone if character.isdigit()]
    return f"{digits[0]}*** **{''.join(digits[-2:])}" if len(digits) > 4 else "*" * len(digits)


def mask_email(address: str) -> str:
    """The first character and where it is: c***@example.org. Without a sign in it nothing but ***."""
    local, sign, domain = address.rpartition("@")
    return f"{local[:1]}***@{domain}" if sign else "***"
