// Without schemas: threads that read files load this.

/** The most lines that a warning names. */
export const WARNING_LINES = 5
