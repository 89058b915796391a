/**
 * Makes files of this process and its children readable only by their own user. A worker thread cannot set the umask,
 * so each program imports this first.
 */
process.umask(0o077)
