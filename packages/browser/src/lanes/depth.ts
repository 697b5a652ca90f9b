/** Names that turn something out of the plane of the picture. */
const DEPTH =
  /preserve-3d|preserve3d|rotate3d|rotate[XY]\b|rotation[XY]\b|backdrop-filter|backdropFilter|matrix3d/

/** A script longer than this is a library, which names everything that anyone may use. */
const LIBRARY_CHARACTERS = 30_000

const withoutLibraries = (html: string): string =>
  html.replace(/<script\b[^>]*>[\s\S]*?<\/script>/gi, (script) =>
    script.length > LIBRARY_CHARACTERS ? '' : script,
  )

/** Why the text of a page says that it will not be captured as an element all along; a guess that spares a start. */
export const findDepth = (html: string): string | undefined => {
  const [found] = DEPTH.exec(withoutLibraries(html)) ?? []
  return found && `the page uses ${found}`
}
