/** Names that turn elements out of the plane of the picture, or filter what is behind them. */
const DEPTH =
  /preserve-3d|preserve3d|rotate3d|rotate[XY]\b|rotation[XY]\b|backdrop-filter|backdropFilter|matrix3d/

/** A longer script is taken for a library, which names these whether or not the page uses them. */
const LIBRARY_CHARACTERS = 30_000

const withoutLibraries = (html: string): string =>
  html.replace(/<script\b[^>]*>[\s\S]*?<\/script>/gi, (script) =>
    script.length > LIBRARY_CHARACTERS ? '' : script,
  )

/** Why a page, by its text, is not worth trying in the raster lane: a guess that saves starting it twice. */
export const findDepth = (html: string): string | undefined => {
  const [found] = DEPTH.exec(withoutLibraries(html)) ?? []
  return found && `the page uses ${found}`
}
