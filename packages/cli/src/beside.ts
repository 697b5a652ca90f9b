/** The manifest of this package; the path is the same from the sources and from the build. */
export const MANIFEST = new URL('../package.json', import.meta.url)

/** What `vid plugin create` copies. */
export const TEMPLATES = new URL('../dist/templates/', import.meta.url)
