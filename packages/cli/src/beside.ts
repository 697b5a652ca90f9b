/** The manifest of this package; this file stands where both sources and build find what lies beside them. */
export const MANIFEST = new URL('../package.json', import.meta.url)

/** What `vid plugin create` copies. */
export const TEMPLATES = new URL('../dist/templates/', import.meta.url)
