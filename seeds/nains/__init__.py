"""The components of Nains, as files a person can edit, and what reads them."""
