"""The key of the audit chain in tests, so that no process makes one in the folder of whoever runs them."""

from base64 import b64encode

from brain.audit_key import AuditKey

SECRET = b"k" * 32
KEY = AuditKey.derive(SECRET)
ENVIRONMENT = {"BRAIN_AUDIT_KEY": b64encode(SECRET).decode()}
