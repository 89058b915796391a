/**
 * Files that this process and its children make are readable by their own user alone. A worker thread cannot set the
 * umask, so each program imports this before anything else.
 */
process.umask(0o077)
