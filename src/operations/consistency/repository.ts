// Stored totals and copies, compared with what they are computed from. Each statement reads one workspace.
