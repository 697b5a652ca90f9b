/** The files of an embedded database that holds nothing yet; the path is the same from the sources and from the build. */
export const EMPTY_DATABASE = new URL('../dist/empty-database.tar.gz', import.meta.url)
