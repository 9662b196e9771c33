// The removal of old counts, and the check of their owners.
