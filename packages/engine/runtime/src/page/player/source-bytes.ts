import { natives } from '../realm/natives.ts'

/** Bytes of a source that the page may read: its own origin's, and those that allow it. Null for any other. */
export const readSourceBytes = async (src: string): Promise<ArrayBuffer | null> => {
  try {
    const response = await natives.fetch(sourceUrlOf(src))
    return response.ok ? await natives.arrayBuffer.call(response) : null
  } catch {
    return null // another origin's
  }
}

/** The address of a source as the page names it: a path below its origin, or an absolute URL. */
export const sourceUrlOf = (src: string): string =>
  /^[a-z][a-z0-9+.-]*:/i.test(src) ? src : new natives.URL(`/${encodePath(src)}`, document.baseURI).href

const encodePath = (path: string) => path.split('/').map(encodeURIComponent).join('/')
