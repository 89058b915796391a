/**
 * What this process and its children make is for their own user alone. A worker thread cannot set it, so each program
 * imports this before anything else.
 */
process.umask(0o077)
