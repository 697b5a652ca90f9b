/**
 * Real time that a browser of a test may take to start, and its pages for each step, in milliseconds: the libraries allow
 * 30 s, which a machine that is busy with other things exceeds.
 */
export const BROWSER_PATIENCE_MS = 120_000
