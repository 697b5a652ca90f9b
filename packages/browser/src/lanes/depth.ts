/** Names of CSS features that transform elements in 3D, or filter what is behind them. */
const DEPTH = /preserve-3d|preserve3d|rotate3d|rotate[XY]\b|rotation[XY]\b|backdrop-filter|backdropFilter|matrix3d/

/** A longer script is assumed to be a library, which contains these names whether or not the page uses them. */
const LIBRARY_CHARACTERS = 30_000

const withoutLibraries = (html: string): string =>
  html.replace(/<script\b[^>]*>[\s\S]*?<\/script>/gi, (script) => (script.length > LIBRARY_CHARACTERS ? '' : script))

/** Guesses from the text of a page why it is not eligible for the raster lane, which saves loading it twice. */
export const findDepth = (html: string): string | undefined => {
  const [expression] = DEPTH.exec(withoutLibraries(html)) ?? []
  return expression && `the page uses ${expression}`
}
